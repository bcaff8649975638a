# Signs the given files with the certificate in WINDOWS_CERTIFICATE (a .pfx file in base64), and leaves those that are
# signed already. Not run yet.
param([string[]] $Files)
$ErrorActionPreference = "Stop"
$pfx = Join-Path $env:RUNNER_TEMP "certificate.pfx"
[IO.File]::WriteAllBytes($pfx, [Convert]::FromBase64String($env:WINDOWS_CERTIFICATE))
$signtool = Get-ChildItem "${env:ProgramFiles(x86)}\Windows Kits\10\bin\*\x64\signtool.exe" | Select-Object -Last 1
try {
    foreach ($file in $Files) {
        if ((Get-AuthenticodeSignature $file).Status -eq "Valid") { continue }
        & $signtool.FullName sign /fd sha256 /td sha256 /tr http://timestamp.digicert.com `
            /f $pfx /p $env:WINDOWS_CERTIFICATE_PASSWORD $file
        if ($LASTEXITCODE -ne 0) { throw "signtool ended with $LASTEXITCODE at $file" }
    }
} finally {
    Remove-Item $pfx
}
