#!/bin/sh
# Packs the frozen program (make app) as dist/digitlab_VERSION_ARCH.deb, for a double click on Debian and Ubuntu.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
version=$(sed -n 's/^VERSION = "\(.*\)"/\1/p' "$root/core/version.py")
architecture=$(dpkg --print-architecture)
staging=$root/build/deb
package=$root/dist/digitlab_${version}_$architecture.deb

rm -rf "$staging"
mkdir -p "$staging/DEBIAN" "$staging/usr/share/doc/digitlab"
"$here/install.sh" /usr "$staging"
cp "$root/LICENSE" "$staging/usr/share/doc/digitlab/copyright"
# Qt's libraries; the other lines of the list are needed to freeze the program only.
depends=$(grep '^lib' "$here/debian-packages.txt" | grep -v '^libpython' |
    sed 's/^libglib2.0-0$/libglib2.0-0 | libglib2.0-0t64/' | paste -sd, | sed 's/,/, /g')
cat > "$staging/DEBIAN/control" << CONTROL
Package: digitlab
Version: $version
Architecture: $architecture
Maintainer: DigitLab <digitlab@localhost>
Installed-Size: $(du -sk "$staging/usr" | cut -f1)
Depends: libc6, $depends
Section: education
Priority: optional
Description: build a small neural network and watch it learn handwritten digits
 DigitLab trains small neural networks on handwritten digits, shows how they
 learn, and reads the digits that you draw.
CONTROL
chmod -R u+rwX,go+rX,go-w "$staging"
dpkg-deb --root-owner-group -Zgzip -z6 --build "$staging" "$package"
