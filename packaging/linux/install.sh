#!/bin/sh
# Installs the frozen program, its menu entry, file types and icons below PREFIX (default ~/.local).
# install.sh [PREFIX [DESTDIR]]: with DESTDIR, packages are made: files go below it, paths in them do not name it.
set -eu
prefix=${1:-$HOME/.local}
target=${2:-}$prefix
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
share=$target/share

rm -rf "$target/lib/digitlab"
mkdir -p "$target/lib" "$target/bin" "$share/applications" "$share/metainfo" "$share/mime/packages" "$share/icons"
cp -R "$root/dist/digitlab" "$target/lib/digitlab"
ln -sf "$prefix/lib/digitlab/digitlab" "$target/bin/digitlab"
# The full path, because not every desktop looks for programs below a home folder.
sed "s|^Exec=digitlab|Exec=$prefix/bin/digitlab|" "$here/digitlab.desktop" > "$share/applications/digitlab.desktop"
cp "$here/org.digitlab.DigitLab.metainfo.xml" "$share/metainfo/"
cp "$here/digitlab.xml" "$share/mime/packages/"
cp -R "$root/build/icons/hicolor" "$share/icons/"
[ -z "${2:-}" ] || exit 0

# The desktop's caches, where it has the tools for them.
if command -v update-desktop-database > /dev/null; then update-desktop-database "$share/applications"; fi
if command -v update-mime-database > /dev/null; then update-mime-database "$share/mime"; fi
echo "Installed $prefix/bin/digitlab; the menu shows it as DigitLab."
