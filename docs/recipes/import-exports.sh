#!/bin/sh
# Imports every export in FOLDER/incoming, each as a run of its own, and moves it to FOLDER/imported once
# it is finished. What stopped early (4) or has unknown documents (5) stays in incoming: the next call
# resumes it. What can't be imported as it is (2) moves to FOLDER/refused: a retry wouldn't help.
#
#   import-exports FOLDER JOB [OPTION OF docferry import]...
#
# FOLDER has incoming/, and docferry.yaml with JOB, whose results go to FOLDER/results. The service's
# address and credentials come from the environment (DOCFERRY_BASE_URL, DOCFERRY_USERNAME,
# DOCFERRY_API_KEY_FILE). The exit code is the most urgent of all exports: 4 before 2, 5, 1 and 0.
set -u

folder=${1:?FOLDER is missing} job=${2:?JOB is missing}
shift 2
cd "$folder" || exit 2
umask 077
mkdir -p results imported refused || exit 4
# A mistake in the job or its mapping is no export's fault.
checked=$(docferry jobs check 2>&1) || {
  printf '%s\n' "$checked" >&2
  exit 2
}

# In a container a signal reaches this script alone, so it is passed on.
stopped='' import=''
stop() {
  stopped=yes
  [ -z "$import" ] || kill -s TERM "$import"
}
trap stop TERM INT

# A signal ends `wait` before the import has ended.
await() {
  wait "$1"
  code=$?
  while [ "$code" -gt 128 ] && kill -0 "$1" 2>/dev/null; do
    wait "$1"
    code=$?
  done
}

worst=0
urgent() {
  for rank in 4 2 5 1; do
    if [ "$worst" = "$rank" ] || [ "$1" = "$rank" ]; then
      worst=$rank
      return
    fi
  done
}

move_to() {
  mv "$export" "$1/$(date -u +%Y%m%dT%H%M%SZ)-${export##*/}" || exit 4
}

for export in incoming/*; do
  [ -f "$export" ] || continue
  [ -z "$stopped" ] || exit 130
  docferry import "$export" --job "$job" --resume --quiet "$@" &
  import=$!
  await "$import"
  import=''
  case $code in
    0 | 1) move_to imported ;;
    2) move_to refused ;;
    4 | 5) ;;
    # Refused credentials, a signal, a fault of docferry's: the next export would end no better.
    *) exit "$code" ;;
  esac
  urgent "$code"
done
exit "$worst"
