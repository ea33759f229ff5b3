# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by ./pi_app/install, which sets the variables: changes that are written down, so that
# they can be taken back.  $record is the folder of the record, $project Spotter's,
# $config the Pi's config.txt, $rules the scanner's udev rule; $dry is set when commands are only
# to be printed.

say() { printf '%-16s%s\n' "$1" "$2"; }

run() {
  if [ -n "$dry" ]; then
    printf '  would run:'
    printf ' %q' "$@"
    echo
  else
    command "$@"
  fi
}

as_root() { run sudo "$@"; }

# What a command tells besides its errors is not for people.
quietly() { if [ -n "$dry" ]; then "$@"; else "$@" >/dev/null; fi; }

append_as_root() {
  if [ -n "$dry" ]; then
    printf '  would run: sudo tee -a %q, with\n' "$1"
    printf '%s\n' "$2" | sed 's/^/    | /'
  else
    printf '%s\n' "$2" | sudo tee -a "$1" >/dev/null
  fi
}

# place FILE TEXT: a file of the user's own, in folders that are made for it.
place() {
  make_folders "$(dirname "$1")"
  if [ -n "$dry" ]; then
    printf '  would write %q, with\n' "$1"
    printf '%s\n' "$2" | sed 's/^/    | /'
  else
    printf '%s\n' "$2" >"$1"
  fi
  note_file "$1"
}

make_folders() {
  if [ -d "$1" ]; then return; fi
  make_folders "$(dirname "$1")"
  run mkdir "$1"
  note "folder $1"
}

# keep FILE ...: a copy of each as it is, the first time, to go back to.
keep() {
  local file name
  if [ -n "$dry" ]; then return; fi
  open_record
  for file in "$@"; do
    name=$(basename "$file")
    if grep -qs "^kept $name " "$record/log"; then continue; fi
    if [ -f "$file" ]; then command cp "$file" "$record/kept/$name"; fi
    note "kept $name $file"
  done
}

# config.txt has its copy beside it as well: a card that does not boot is mended on another computer.
keep_config() {
  keep "$1"
  if [ -n "$beside" ] || [ -f "$1.before-spotter" ]; then return; fi
  as_root cp "$1" "$1.before-spotter"
  beside=yes
}

# seal FILE ...: so we left it.
seal() {
  local file
  for file in "$@"; do note "sealed $(basename "$file") $(sum_of "$file")"; done
}

note() {
  if [ -n "$dry" ]; then return; fi
  open_record
  began=yes
  printf '%s\n' "$1" >>"$record/log"
}

note_file() { note "file $(sum_of "$1") $1"; }

# The folders above the record are made first of all and go last of all.
open_record() {
  local folder=$record made=()
  if [ -d "$record" ]; then return; fi
  while [ ! -d "$folder" ]; do
    made=("$folder" "${made[@]}")
    folder=$(dirname "$folder")
  done
  command mkdir -p "$record/kept"
  printf 'folder %s\n' "${made[@]}" >"$record/log"
}

noted() { sed -n "s|^$1 ||p" "$record/log"; }

noted_plain() { grep -x "$1" "$record/log" || true; }

reload_udev() {
  if ! as_root udevadm control --reload || ! as_root udevadm trigger --subsystem-match=tty; then
    say "scanner's port" "udev does not answer: this counts from the next start on"
  fi
}

sum_of() { { sha256sum "$1" 2>/dev/null || echo absent; } | cut -d ' ' -f 1; }

# What is taken back

remove_files() {
  local sum file
  while read -r sum file; do
    if [ -z "$file" ] || [ ! -f "$file" ]; then continue; fi
    if [ "$sum" != "$(sum_of "$file")" ]; then
      say "kept" "$file: it was changed since"
      continue
    fi
    say "removed" "$file"
    if [ -w "$(dirname "$file")" ]; then run rm "$file"; else as_root rm "$file"; fi
    if [ "$file" = "$rules" ]; then reload_udev; fi
  done <<<"$(noted file)"
}

# A file that nobody has touched since becomes what it was, to the byte; else only our lines go.
restore_config() {
  local name file turned_off=''
  changed_boot=''
  while read -r name file; do
    if [ -z "$file" ]; then continue; fi
    changed_boot=yes
    if [ "$(sum_of "$file")" = "$(noted "sealed $name" | tail -n 1)" ]; then
      say "restored" "$file (sudo: it is the system's)"
      if [ -f "$record/kept/$name" ]; then as_root cp "$record/kept/$name" "$file"; else as_root rm -f "$file"; fi
    elif [ "$file" = "$config" ]; then
      say "I2C" "out of $file, which was changed since (sudo: it is the system's)"
      as_root sed -i '/^# Spotter begins$/,/^# Spotter ends$/d' "$file"
      if [ -n "$(noted_plain i2c)" ]; then turned_off=yes; fi
    else
      say "kept" "$file: it was changed since"
    fi
  done <<<"$(noted kept)"
  if [ -n "$turned_off" ]; then as_root raspi-config nonint do_i2c 1; fi
  if [ -n "$changed_boot" ] && [ -f "$config.before-spotter" ]; then as_root rm "$config.before-spotter"; fi
}

leave_groups() {
  local group user
  while read -r group user; do
    if [ -z "$group" ]; then continue; fi
    say "groups" "$user leaves $group (sudo: for the whole system)"
    quietly as_root gpasswd -d "$user" "$group"
  done <<<"$(noted group)"
}

# Others may have come to need them: apt knows, and takes away what nobody needs.
release_packages() {
  local names
  names=$(noted package | paste -sd ' ')
  if [ -z "$names" ]; then return; fi
  say "packages" "$names: no longer wanted; sudo apt-get autoremove takes away what nothing else needs"
  # shellcheck disable=SC2086
  quietly as_root apt-mark auto $names
}

remove_program() {
  local venv
  while read -r venv; do
    if [ -z "$venv" ]; then continue; fi
    say "removed" "$venv"
    run rm -rf "$venv" "$project/spotter.egg-info"
  done <<<"$(noted venv)"
}

remove_folders() {
  local folder
  while read -r folder; do
    if [ -d "$folder" ]; then run rmdir --ignore-fail-on-non-empty "$folder"; fi
  done <<<"$1"
}
