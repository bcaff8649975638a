#!/bin/sh
# Put the frozen program, its menu entry, file types and icons below PREFIX (by default ~/.local).
set -eu
prefix=${1:-$HOME/.local}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
share=$prefix/share

rm -rf "$prefix/lib/digitlab"
mkdir -p "$prefix/lib" "$prefix/bin" "$share/applications" "$share/metainfo" "$share/mime/packages" "$share/icons"
cp -R "$root/dist/digitlab" "$prefix/lib/digitlab"
ln -sf "$prefix/lib/digitlab/digitlab" "$prefix/bin/digitlab"
# The full path: not every desktop looks for programs below a home folder.
sed "s|^Exec=digitlab|Exec=$prefix/bin/digitlab|" "$here/digitlab.desktop" > "$share/applications/digitlab.desktop"
cp "$here/org.digitlab.DigitLab.metainfo.xml" "$share/metainfo/"
cp "$here/digitlab.xml" "$share/mime/packages/"
cp -R "$root/build/icons/hicolor" "$share/icons/"

# Caches of the desktop; where such a tool is missing, there is no cache to renew.
if command -v update-desktop-database > /dev/null; then update-desktop-database "$share/applications"; fi
if command -v update-mime-database > /dev/null; then update-mime-database "$share/mime"; fi
echo "$prefix/bin/digitlab is there; the menu shows it as DigitLab."
