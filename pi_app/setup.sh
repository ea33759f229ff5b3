# shellcheck shell=bash
# Sourced by ./pi_app/run, ./pi_app/install and ./tests/run.  Messages go to stderr: stdout belongs to Spotter.

# set_up PROJECT [EXTRA [VENV]]: VENV, by default PROJECT/.venv, with Spotter in it, and what that
# needs from the system.  Says nothing, and takes no time, when all is there already.
set_up() {
  local project=$1 extra=${2:-} venv=${3:-$1/.venv}
  local stamp=$venv/installed${extra:+-$extra}
  if is_set_up "$@"; then return; fi

  if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then make_venv "$venv"; fi
  echo "Installing Spotter in $venv …" >&2
  if install_pinned "$project" "$venv" pi_app --only-binary :all: &&
    { [ -z "$extra" ] || install_pinned "$project" "$venv" tests --no-build-isolation --use-pep517; } &&
    pip_install "$venv" --no-deps --no-build-isolation --editable "$project"; then
    # Where no compiler is it says so, and Cannon is played all the same.
    "$venv/bin/python" -m pi_app.players.cannon.building >&2 || true
    fingerprint "$project" "$venv" >"$venv/installed"
    if [ -n "$extra" ]; then fingerprint "$project" "$venv" "$extra" >"$stamp"; fi
  elif [ -e "$stamp" ]; then
    echo "pip could not bring Spotter up to date, see above; is the network up?" \
      "Going on with what is installed" >&2
    # A moved project is followed all the same: for that, nothing has to come from afar.
    pip_install "$venv" --no-deps --no-build-isolation --editable "$project" 2>/dev/null || true
  else
    give_up "pip could not install Spotter, see above; is the network up?"
  fi
}

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

# install_pinned PROJECT VENV FOLDER OPTION ...: what FOLDER's lock pins, the distribution's left out.
install_pinned() {
  local project=$1 venv=$2 folder=$3
  shift 3
  PYTHONPATH=$project "$venv/bin/python" -m pi_app.pinned "$project/$folder/requirements.lock" \
    >"$venv/pinned.txt" &&
    pip_install "$venv" --no-deps --require-hashes --requirement "$venv/pinned.txt" "$@"
}

pip_install() {
  local venv=$1
  shift
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >&2
}

make_venv() {
  local python module options=()
  if ! python=$(find_python); then
    install_system python3 python3-venv || true
    python=$(find_python) || give_up "Spotter needs Python 3.11 or later with venv, and here is" \
      "$(python3 --version 2>/dev/null || echo no Python); as root: apt-get install python3-venv"
  fi
  if grep -qs 'Raspberry Pi' /proc/device-tree/model; then
    # pip has no lgpio for newer Pythons, and only the system's pygame knows all of a Pi's displays.
    for module in lgpio pygame; do
      has_module "$python" $module || install_system python3-$module ||
        echo "Going on without python3-$module; as root: apt-get install python3-$module" >&2
    done
    options=(--system-site-packages)
  fi
  "$python" -m venv --clear "${options[@]}" "$1" >&2 || give_up "$1 could not be made, see above"
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
  "$1" -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))' "$2"
}

# GNU Backgammon, an opponent; Debian's stands with the games.
has_gnubg() { command -v gnubg >/dev/null || [ -x /usr/games/gnubg ]; }

install_system() {
  local root=()
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || return 1
    root=(sudo)
  fi
  echo "Installing $* …" >&2
  "${root[@]}" apt-get update -qq >&2 || true
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

give_up() {
  echo "$*" >&2
  exit 1
}
