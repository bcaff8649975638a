#!/bin/sh
# Packs the frozen program (make app) as dist/DigitLab-VERSION-ARCH.AppImage: one file that runs where it lies.
# Needs from Debian 12 or later: gcc libc6-dev squashfs-tools libsquashfuse-dev libfuse3-dev libzstd-dev liblzma-dev
# liblz4-dev zlib1g-dev.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
version=$(sed -n 's/^VERSION = "\(.*\)"/\1/p' "$root/core/version.py")
staging=$root/build/appimage
folder=$staging/AppDir
image=$root/dist/DigitLab-$version-$(uname -m).AppImage

rm -rf "$staging" "$image"
"$here/install.sh" /usr "$folder"
ln -s usr/lib/digitlab/digitlab "$folder/AppRun"
cp "$here/digitlab.desktop" "$folder/digitlab.desktop"
cp "$folder/usr/share/icons/hicolor/256x256/apps/digitlab.png" "$folder/digitlab.png"
ln -s digitlab.png "$folder/.DirIcon"
chmod -R u+rwX,go+rX,go-w "$folder"

# shellcheck disable=SC2086 # CFLAGS are several words
gcc -Os -Wall -static -s -ffunction-sections -Wl,--gc-sections ${CFLAGS:-} -o "$staging/runtime" "$here/appimage_runtime.c" \
    ${LDFLAGS:-} -lsquashfuse_ll -lfuse3 -lzstd -llzma -llz4 -lz
# The mark of an AppImage of type 2, in bytes of the header that Linux does not use.
printf 'AI\002' | dd of="$staging/runtime" bs=1 seek=8 conv=notrunc status=none
mksquashfs "$folder" "$staging/image" -comp zstd -Xcompression-level 15 -b 256K -root-owned -noappend -quiet -no-progress
cat "$staging/runtime" "$staging/image" > "$image"
chmod +x "$image"
ls -l "$image"
