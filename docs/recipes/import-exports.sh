#!/bin/sh
# Imports every export in FOLDER/incoming, each as a run of its own, and moves it to FOLDER/imported once
# it is finished. What isn't finished stays in incoming: the next call resumes it.
#
#   import-exports FOLDER MONITORING [OPTION OF docferry import]...
#
# FOLDER has mapping.yaml and incoming/. Reports and rejects go to FOLDER/results. The service's
# address and credentials come from the environment (DOCFERRY_BASE_URL, DOCFERRY_USERNAME,
# DOCFERRY_API_KEY_FILE). The exit code is the most urgent of all exports: 4 before 2, 5, 1 and 0.
set -u

folder=${1:?FOLDER is missing} monitoring=${2:?MONITORING is missing}
shift 2
cd "$folder" || exit 2
umask 077
mkdir -p results imported || exit 4

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

for export in incoming/*; do
  [ -f "$export" ] || continue
  [ -z "$stopped" ] || exit 130
  docferry import "$export" --mapping mapping.yaml --monitoring "$monitoring" --resume \
    --rejects 'results/{run}.rejects.csv' --report 'results/{run}.report.json' --quiet "$@" &
  import=$!
  await "$import"
  import=''
  case $code in
    0 | 1) mv "$export" "imported/$(date -u +%Y%m%dT%H%M%SZ)-${export##*/}" || exit 4 ;;
    2 | 4 | 5) ;;
    # Refused credentials, a signal, a fault of docferry's: the next export would end no better.
    *) exit "$code" ;;
  esac
  urgent "$code"
done
exit "$worst"
