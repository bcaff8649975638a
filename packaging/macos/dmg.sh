#!/bin/sh
# Packs dist/DigitLab.app as dist/digitlab-VERSION-macos-ARCH.dmg, with a link to Applications. Not run yet.
# With SIGN_IDENTITY ("Developer ID Application: ...") the program is signed; with NOTARY_PROFILE it is notarized, too.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -n 's/^VERSION = "\(.*\)"/\1/p' "$root/core/version.py")
image=$root/dist/digitlab-$version-macos-$(uname -m).dmg
staging=$root/build/dmg

if [ -n "${SIGN_IDENTITY:-}" ]; then
    codesign --force --deep --options runtime --timestamp --entitlements "$root/packaging/macos/entitlements.plist" \
        --sign "$SIGN_IDENTITY" "$root/dist/DigitLab.app"
fi
rm -rf "$staging" "$image"
mkdir -p "$staging"
cp -R "$root/dist/DigitLab.app" "$staging/"
ln -s /Applications "$staging/Applications"
hdiutil create -volname DigitLab -srcfolder "$staging" -format UDZO "$image"
if [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
fi
