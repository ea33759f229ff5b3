# shellcheck shell=bash
# Sourced by ./pi_app/run, ./pi_app/install and ./tests/run.  Messages go to stderr: stdout belongs to Spotter.

# set_up PROJECT [EXTRA]: PROJECT/.venv with Spotter in it, and what that needs from the system.
# Says nothing, and takes no time, when all is there already.
set_up() {
  local project=$1 extra=${2:-} venv=$1/.venv
  local stamp=$venv/installed${extra:+-$extra}
  if is_set_up "$project" "$extra"; then return; fi

  if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then make_venv "$venv"; fi
  echo "Installing Spotter in $venv …" >&2
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --editable "$project${extra:+[$extra]}" >&2 ||
    give_up "pip could not install Spotter, see above; is the network up?"
  # Whatever an extra adds, the plain installation is there as well.
  fingerprint "$project" | tee "$venv/installed" >"$stamp"
}

# is_set_up PROJECT [EXTRA]: whether set_up has nothing to do.
is_set_up() {
  [ "$(cat "$1/.venv/installed${2:+-$2}" 2>/dev/null)" = "$(fingerprint "$1")" ]
}

# What makes an installation stale: other dependencies, another Python, a moved project.
fingerprint() {
  echo "$1" "$("$1/.venv/bin/python" --version 2>/dev/null)" "$(cksum <"$1/pyproject.toml")"
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
