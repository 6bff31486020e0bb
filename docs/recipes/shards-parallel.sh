#!/bin/sh
# One import in 16 shards, 4 at a time, on this machine, and its report:
#   sh shards-parallel.sh nightly-2026-11-29
# in a folder with mapping.yaml, exports/ and results/. DOCFERRY_STATE (a Postgres database),
# DOCFERRY_BASE_URL, DOCFERRY_USERNAME and DOCFERRY_API_KEY_FILE come from the environment.
set -u
run=${1:?RUN is missing}

# For several machines that see this folder, add:
#   --sshlogin 4/host-a,4/host-b --workdir . --env PATH --env DOCFERRY_STATE --env DOCFERRY_BASE_URL
#   --env DOCFERRY_USERNAME --env DOCFERRY_API_KEY_FILE
# Requests in flight may take 30 s after Ctrl-C, hence --termseq.
parallel --jobs 4 --retries 5 --joblog "results/$run.joblog" --termseq TERM,40000,KILL \
  docferry import "'exports/*.csv'" --mapping mapping.yaml --monitoring 1 \
  --run "$run" --shard {}/16 --quiet ::: $(seq 16) </dev/null

docferry report "$run" --rejects "results/$run.rejects.csv" --overwrite \
  --report "results/$run.report.json"
