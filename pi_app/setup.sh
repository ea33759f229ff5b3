# shellcheck shell=bash
# Sourced by ./pi_app/run, ./tests/run and hardware/package/build.  Messages go to stderr: stdout belongs to Spotter.

# set_up PROJECT [EXTRA [VENV]]: VENV, by default PROJECT/.venv, with Spotter in it, and what that
# needs from the system.  Says nothing, and takes no time, when all is there already.
set_up() {
  local project=$1 extra=${2:-} venv=${3:-$1/.venv}
  local stamp=$venv/installed${extra:+-$extra}
  if is_set_up "$@"; then return; fi

  if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then make_venv "$venv"; fi
  echo "Installing Spotter in $venv …" >&2
  if install_into "$venv" "$project" "$extra"; then
    fingerprint "$project" "$venv" >"$venv/installed"
    if [ -n "$extra" ]; then fingerprint "$project" "$venv" "$extra" >"$stamp"; fi
  elif [ -e "$stamp" ]; then
    echo "$(pip_failure "$venv"). Going on with what is installed" >&2
    # A moved project is followed all the same: for that, nothing has to come from afar.
    install_project "$venv" "$project" || true
  else
    give_up "$(pip_failure "$venv")"
  fi
}

# install_into VENV PROJECT [EXTRA]: what is pinned, Spotter itself, and Cannon's search.
install_into() {
  local venv=$1 project=$2 extra=${3:-}
  run rm -f "$venv/pip.log"
  install_pinned "$venv" "$project" pi_app --only-binary :all: || return
  if [ -n "$extra" ]; then
    install_pinned "$venv" "$project" tests --no-build-isolation --use-pep517 || return
  fi
  install_project "$venv" "$project" || return
  run rm -f "$venv/pip.log"
  # Where no compiler is it says so, and all games are played all the same.
  run "$venv/bin/python" -m pi_app.players.native || true
}

# install_pinned VENV PROJECT FOLDER OPTION ...: what FOLDER's lock pins, the distribution's left out.
install_pinned() {
  local venv=$1 project=$2 folder=$3
  shift 3
  run env PYTHONPATH="$project" "$venv/bin/python" -m pi_app.base.pinned \
    "$project/$folder/requirements.lock" "$venv/pinned.txt" &&
    pip_install "$venv" --no-deps --require-hashes --requirement "$venv/pinned.txt" "$@"
}

install_project() {
  # Its former name: of two installations of one package, a moved project would find the old one.
  run "$1/bin/python" -m pip uninstall --quiet --yes spotter 2>/dev/null || true
  pip_install "$1" --no-deps --no-build-isolation --editable "$2" && hold_ctrl_c "$1"
}

# hold_ctrl_c VENV: the command spotter, for which Ctrl-C waits until Python has started: Python
# itself would print a traceback.
hold_ctrl_c() {
  if ! grep -qs pi_app.__main__ "$1/bin/spotter" || ! env --block-signal=INT true 2>/dev/null; then
    return 0
  fi
  # Both sh and Python read it, as pip's own scripts in folders with a space.
  cat >"$1/bin/spotter" <<END
#!/bin/sh
'''exec' env --block-signal=INT "$1/bin/python" "\$0" "\$@"
' '''
import sys
from pi_app.__main__ import start
sys.exit(start())
END
}

# What pip says, a page where there is no network, goes into a file.
pip_install() {
  local venv=$1
  shift
  run "$venv/bin/python" -m pip install --quiet --progress-bar off --log "$venv/pip.log" --retries 2 \
    --disable-pip-version-check "$@" 2>/dev/null
}

# pip_failure VENV: why pip could not install, in one line.
pip_failure() {
  local log=$1/pip.log error
  if grep -qs CERTIFICATE_VERIFY_FAILED "$log"; then
    error='the certificate of the package index is not accepted; is the date right?'
  elif grep -qsE 'NewConnectionError|NameResolutionError|ConnectTimeout' "$log"; then
    error='the network is not up'
  else
    error=$(grep -os 'ERROR: .*' "$log" | tail -n 1)
  fi
  echo "pip could not install Spotter: ${error:-it could not be started} (all it said: $log)"
}

run() { "$@" >&2; }

# is_set_up PROJECT [EXTRA [VENV]]: whether set_up has nothing to do.
is_set_up() {
  local venv=${3:-$1/.venv}
  [ "$(cat "$venv/installed${2:+-$2}" 2>/dev/null)" = "$(fingerprint "$1" "$venv" "${2:-}")" ]
}

# What makes an installation stale: other packages, another Python, a moved project.
fingerprint() {
  echo "$1" "$("$2/bin/python" --version 2>/dev/null)" \
    "$(cat "$1/pyproject.toml" "$1/pi_app/requirements.lock" ${3:+"$1/tests/requirements.lock"} | cksum)"
}

make_venv() {
  local folder python module wanted=() options=()
  folder=$(dirname "$1")
  [ -w "$folder" ] || give_up "$(id -un) cannot write in $folder; copy Spotter's folder into your" \
    "home and run it there, or let the owner of $folder run it once"
  python=$(find_python) || wanted=(python3 python3-venv)
  if grep -qs 'Raspberry Pi' /proc/device-tree/model; then
    # pip has no lgpio for newer Pythons, and only the system's pygame knows all of a Pi's displays.
    for module in lgpio pygame; do
      has_module "${python:-/usr/bin/python3}" $module || wanted+=("python3-$module")
    done
    options=(--system-site-packages)
  fi
  # The engines' cores are compiled, and pygame's mixer needs a library of GLib.
  command -v cc >/dev/null || wanted+=(gcc libc6-dev)
  /sbin/ldconfig -p 2>/dev/null | grep -q 'libgthread-2.0.so.0' || wanted+=(libglib2.0-0)
  if [ ${#wanted[@]} -gt 0 ]; then
    if ! install_system "${wanted[@]}" && [ -n "$python" ]; then
      echo "Going on without ${wanted[*]}; as root: apt-get install ${wanted[*]}" >&2
    fi
    python=$(find_python) || give_up "$(lacking_python)"
  fi
  "$python" -m venv --clear "${options[@]}" "$1" >&2 || give_up "$1 could not be made, see above"
}

lacking_python() {
  local version
  version=$(python3 --version 2>/dev/null) || version='no Python'
  if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "$version is here without its module venv; as root: apt-get install python3-venv"
  else
    echo "Spotter needs Python 3.11 or later, and here is $version; as root: apt-get install python3 python3-venv"
  fi
}

# The system's own Python first: on a Pi the system's packages belong to it.
find_python() {
  local python
  for python in /usr/bin/python3 python3 python3.14 python3.13 python3.12 python3.11; do
    if "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'; then
      echo "$python"
      return
    fi
  done 2>/dev/null
  return 1
}

# Looks without importing: lgpio leaves a file in the folder where it is imported.
has_module() {
  "$1" -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))' "$2" \
    2>/dev/null
}

# GNU Backgammon, an opponent; Debian's stands with the games.
has_gnubg() { command -v gnubg >/dev/null || [ -x /usr/games/gnubg ]; }

# install_system PACKAGE ...: by apt; where that fails, why stands in one line.
install_system() {
  local said status=0
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=1)
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || return 1
    apt=(sudo "${apt[@]}")
  fi
  echo "Installing $* …" >&2
  said=$("${apt[@]}" update --error-on=any 2>&1 >/dev/null) || status=$?
  # apt-get ends with 100; whom sudo refuses is not asked again.
  if [ "$status" -ne 0 ] && [ "$status" -ne 100 ]; then
    tail -n 1 <<<"$said" >&2
    return 1
  fi
  if said=$("${apt[@]}" install -y "$@" 2>&1 >/dev/null); then return; fi
  # Lists may be old because of a source that Spotter does not need, so only now it matters.
  if [ "$status" -eq 100 ]; then said="apt-get cannot fetch its lists of packages; is the network up?"; fi
  { grep '^E: ' <<<"$said" || tail -n 1 <<<"$said"; } | head -n 1 >&2
  return 1
}

give_up() {
  echo "$*" >&2
  exit 1
}
