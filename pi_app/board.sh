# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by ./pi_app/install, which sets the variables: the board in the user's settings, of which
# only what was written here, or by nobody in particular, is ever changed.  $board is the one that
# was asked for, if any, $settings the file; the tools are record.sh's.

# The board's file, and whether it has a scanner.
find_board() {
  local name=${board:-$(named_board)}
  name=${name:-nannon-6}
  board_file=$project/pi_app/boards/$name.toml
  case $name in
    *.toml) board_file=$name ;;
  esac
  if [ ! -f "$board_file" ]; then
    give_up "There is no board $name ($board_file); choose from:" \
      "$(basename -s .toml "$project"/pi_app/boards/*.toml | paste -sd ' ')"
  fi
  if grep -q '^\[scanner\]' "$board_file"; then packages+=("${scanner_packages[@]}"); fi
}

choose_board() {
  local name=$board
  if [ -z "$name" ]; then return; fi
  case $name in
    *.toml) name=$(readlink -f "$name") ;;
  esac
  if [ "$(named_board)" = "$name" ]; then
    say "board" "$board already"
  elif [ ! -f "$settings" ]; then
    say "board" "$board, in $settings"
    place "$settings" "[board]"$'\n'"name = \"$name\""
    note "board $name"
  elif is_our_board; then
    say "board" "$board, in $settings"
    set_board "$name"
  else
    say "board" "$settings is yours and says otherwise: write name = \"$name\" under [board] there"
  fi
}

# The settings' board, as the program and the installer write it.
named_board() {
  if [ ! -f "$settings" ]; then return; fi
  awk '/^\[/ { inside = $0 == "[board]" } inside && /^name *=/ { print; exit }' "$settings" |
    sed -n 's/^name *= *"\(.*\)"$/\1/p'
}

# Whether the settings name the board that was written here, or the usual one, which the program
# writes by itself, or none.  A record of earlier has no board, but the sum of the file with it.
is_our_board() {
  local named
  named=$(named_board)
  if [ -z "$named" ]; then
    if grep -E '^ *(\[ *board|board *[.=]|name *=)' "$settings" | grep -qvxF '[board]'; then return 1; fi
  else
    [ "$named" = nannon-6 ] || [ "$named" = "$(noted board | tail -n 1)" ] ||
      [ "$(printf '[board]\nname = "%s"\n' "$named" | sum_of /dev/stdin)" = "$(recorded_sum "$settings")" ]
  fi
}

# set_board NAME: in the settings, of which every other line stays.
set_board() {
  local text ours=''
  if is_ours "$settings"; then ours=yes; fi
  text=$(line="name = \"$1\"" awk '
    /^\[/ { inside = $0 == "[board]"; print; if (inside) { print ENVIRON["line"]; set = 1 }; next }
    !inside || !/^name *=/ { print }
    END { if (!set) print "\n[board]\n" ENVIRON["line"] }' "$settings")
  write "$settings" "$text"
  if [ -n "$ours" ]; then note_file "$settings"; fi
  note "board $1"
}
