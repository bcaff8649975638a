; Inno Setup script: the installer for Windows, per user, without administrator rights.
; iscc packaging\windows\digitlab.iss, after PyInstaller has made dist\digitlab. Not run yet.
#define Root "..\.."
#define Version "0.1.0"

[Setup]
AppId={{6D2F0C55-9C0B-4E0B-9D4C-2B6C9F0A7E11}
AppName=DigitLab
AppVersion={#Version}
AppPublisher=DigitLab
DefaultDirName={autopf}\DigitLab
DefaultGroupName=DigitLab
PrivilegesRequired=lowest
; Without this, /ALLUSERS fails: a computer room installs for all users.
PrivilegesRequiredOverridesAllowed=commandline dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
Compression=lzma2
SolidCompression=yes
LicenseFile={#Root}\LICENSE
OutputDir={#Root}\dist
OutputBaseFilename=digitlab-{#Version}-windows-x86_64
SetupIconFile={#Root}\build\icons\digitlab.ico
UninstallDisplayIcon={app}\digitlab.exe
ChangesAssociations=yes

[Files]
Source: "{#Root}\dist\digitlab\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[InstallDelete]
; Libraries of an older version must not be found by the new one.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\DigitLab"; Filename: "{app}\digitlab.exe"
Name: "{autodesktop}\DigitLab"; Filename: "{app}\digitlab.exe"; Tasks: desktopicon

[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[Registry]
Root: HKA; Subkey: "Software\Classes\.digitlab"; ValueType: string; ValueData: "DigitLab.Model"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\DigitLab.Model"; ValueType: string; ValueData: "DigitLab model"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\DigitLab.Model\DefaultIcon"; ValueType: string; ValueData: "{app}\digitlab.exe,0"
Root: HKA; Subkey: "Software\Classes\DigitLab.Model\shell\open\command"; ValueType: string; ValueData: """{app}\digitlab.exe"" ""%1"""

[Run]
Filename: "{app}\digitlab.exe"; Description: "{cm:LaunchProgram,DigitLab}"; Flags: nowait postinstall skipifsilent
