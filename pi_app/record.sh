# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by ./pi_app/install, which sets the variables: changes that are written down, so that
# they can be taken back.  $record is the folder of the record, $project Spotter's,
# $config the Pi's config.txt, $rules the scanner's udev rule and $light_rules the display's; $dry is
# set when commands are only to be printed.

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
  write "$1" "$2"
  note_file "$1"
}

write() {
  if [ -n "$dry" ]; then
    printf '  would write %q, with\n' "$1"
    printf '%s\n' "$2" | sed 's/^/    | /'
  else
    printf '%s\n' "$2" >"$1.new-spotter"
    command mv "$1.new-spotter" "$1"
  fi
}

# own FILE TEXT: place, unless somebody else has written the file or has changed it.
own() {
  if holds "$1" "$2"; then return; fi
  if [ ! -f "$1" ] || is_ours "$1"; then
    place "$1" "$2"
  else
    say "kept" "$1: it was changed since, left alone; delete it to have it anew"
  fi
}

holds() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

is_ours() { [ -n "$(recorded_sum "$1")" ] && [ "$(recorded_sum "$1")" = "$(sum_of "$1")" ]; }

make_folders() {
  if [ -d "$1" ]; then return; fi
  case $would_make in *"|$1|"*) return ;; esac
  make_folders "$(dirname "$1")"
  run mkdir "$1"
  would_make+="|$1|"
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

note_once() { if [ -z "$(noted_plain "$1")" ]; then note "$1"; fi; }

note_file() {
  local before
  before=$(recorded_sum "$1")
  if [ -n "$before" ]; then forget "file $before $1"; fi
  note "file $(sum_of "$1") $1"
}

recorded_sum() {
  local sum file
  while read -r sum file; do
    if [ "$file" = "$1" ]; then echo "$sum"; fi
  done <<<"$(noted file)" | tail -n 1
}

# forget LINE: the record without it.
forget() {
  if [ -n "$dry" ]; then return; fi
  { grep -vxF -- "$1" "$record/log" || true; } >"$record/log.new"
  command mv "$record/log.new" "$record/log"
}

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

noted() { if [ -f "$record/log" ]; then sed -n "s|^$1 ||p" "$record/log"; fi; }

noted_plain() { grep -sx "$1" "$record/log" || true; }

# reload_udev WHAT SUBSYSTEM: its devices are looked at by the rules as they are now.
reload_udev() {
  if ! as_root udevadm control --reload ||
    ! as_root udevadm trigger --action=add --subsystem-match="$2"; then
    say "$1" "udev does not answer: this counts from the next start on"
  fi
}

# systemd may be without a session to answer in, as over the network.
reload_units() {
  quietly run systemctl --user daemon-reload 2>/dev/null ||
    say "start" "systemd does not answer: this counts from the next login on"
}

sum_of() { { sha256sum "$1" 2>/dev/null || echo absent; } | cut -d ' ' -f 1; }

# What is taken back

remove_files() {
  local sum file
  while read -r sum file; do remove_file "$file" "$sum"; done <<<"$(noted file)"
}

# remove_file FILE SUM: unless it was changed since it had this sum, or was never ours.
remove_file() {
  if [ -z "$2" ] || [ ! -f "$1" ]; then return; fi
  if [ "$2" != "$(sum_of "$1")" ]; then
    say "kept" "$1: it was changed since"
    return
  fi
  say "removed" "$1"
  if [ -w "$(dirname "$1")" ]; then run rm "$1"; else as_root rm "$1"; fi
  forget "file $2 $1"
  case $1 in
    "$rules") reload_udev "scanner's port" tty ;;
    "$light_rules") reload_udev "brightness" backlight ;;
    "$service") reload_units ;;
  esac
}

stop_service() {
  if is_ours "$service"; then run systemctl --user stop spotter.service 2>/dev/null || true; fi
}

# A file that nobody has touched since becomes what it was, to the byte; else only our lines go.
restore_config() {
  local name file
  changed_boot=''
  while read -r name file; do
    if [ -z "$file" ]; then continue; fi
    changed_boot=yes
    if [ "$(sum_of "$file")" = "$(noted "sealed $name" | tail -n 1)" ]; then
      say "restored" "$file (sudo: it is the system's)"
      if [ -f "$record/kept/$name" ]; then as_root cp "$record/kept/$name" "$file"; else as_root rm -f "$file"; fi
      continue
    fi
    case $name in
      config.txt) restore_lines "$file" '^#?[ \t]*dtparam=i2c_arm=' 'dtparam=i2c_arm=on' ;;
      modules) restore_lines "$file" '^#?[ \t]*i2c[-_]dev' 'i2c-dev' ;;
      *) say "kept" "$file: it was changed since, and stays as it is" ;;
    esac
  done <<<"$(noted kept)"
  if [ -n "$changed_boot" ] && [ -f "$config.before-spotter" ]; then as_root rm "$config.before-spotter"; fi
}

# restore_lines FILE PATTERN NOW: the lines like PATTERN that raspi-config has made NOW become again
# what they were, or go where there were none, and the lines from "# Spotter begins" to "ends" go.
# What came after these and was for every Pi stays so.
restore_lines() {
  local name was=/dev/null now=$3
  name=$(basename "$1")
  if [ -z "$(noted_plain i2c)" ]; then now=''; fi
  if [ -f "$record/kept/$name" ]; then was=$record/kept/$name; fi
  say "restored" "our lines of $1, which was changed since (sudo: it is the system's)"
  if [ -z "$dry" ]; then
    block=$baud_block awk -v pattern="$2" -v now="$now" '
      BEGIN { ours = split(ENVIRON["block"], block, "\n"); at = 1 }
      FILENAME == ARGV[1] { if ($0 ~ pattern) was[++had] = $0; next }
      at <= ours && $0 == block[at] { if (block[at++] == "[all]") under_all = 1; next }
      /^\[/ { section = $0; under_all = 0 }
      under_all && NF { if (section && section != "[all]") print "[all]"; under_all = 0 }
      $0 ~ pattern {
        seen++
        if (now != "" && $0 == now && seen <= had) { print was[seen]; next }
        if (now != "" && $0 == now && had == 0 && seen == 1) next
      }
      { print }' "$was" "$1" >"$record/undone"
  fi
  as_root cp "$record/undone" "$1"
}

leave_groups() {
  local group user
  while read -r group user; do
    if [ -z "$group" ]; then continue; fi
    say "groups" "$user leaves $group (sudo: for the whole system)"
    leave_group "$group" "$user"
  done <<<"$(noted group)"
}

leave_group() {
  if is_member "$2" "$1"; then quietly as_root gpasswd -d "$2" "$1"; fi
  forget "group $1 $2"
}

# Others may have come to need them: apt knows, and takes away what nobody needs.
release_packages() {
  local names
  names=$(noted package | while read -r name; do is_absent "$name" || echo "$name"; done | paste -sd ' ')
  if [ -z "$names" ]; then return; fi
  say "packages" "$names: no longer wanted; sudo apt-get autoremove takes away what nothing else needs"
  # shellcheck disable=SC2086
  quietly as_root apt-mark auto $names
}

remove_program() {
  local venv
  while read -r venv; do
    if [ ! -d "$venv" ]; then continue; fi
    say "removed" "$venv"
    run rm -rf "$venv" "$project/spotter.egg-info"
  done <<<"$(noted venv)"
}

# The record itself, and every folder that was made for it or for a file.
remove_record() {
  local folder folders
  folders=$(noted folder | tac)
  run rm -rf "$record"
  while read -r folder; do
    if [ -d "$folder" ]; then run rmdir --ignore-fail-on-non-empty "$folder"; fi
  done <<<"$folders"
}

# A record of nothing done goes again.
drop_empty_record() {
  if [ -n "$dry" ] || grep -qv '^folder ' "$record/log"; then return; fi
  remove_record
  began=''
}
