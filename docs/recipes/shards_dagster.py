"""Imports the exports of a day in 64 shards, 16 at a time, as steps of a job.

FOLDER has mapping.yaml, exports/ and results/, and all machines see it. DOCFERRY_STATE, the address of
a Postgres database, comes from the environment. For steps on several machines, give the job another
executor, for example dagster_k8s.k8s_job_executor.
"""

import os
import subprocess

import dagster as dg

FOLDER = "/srv/docferry"
SHARDS = 64
SERVICE = {
    "DOCFERRY_BASE_URL": "https://api.example.com/5.0",
    "DOCFERRY_USERNAME": "ana@example.com",
    "DOCFERRY_API_KEY_FILE": "/etc/docferry/api-key",
}


def docferry(*args: str) -> int:
    """Runs docferry; gives its exit code, negative if a signal ended it."""
    process = subprocess.Popen(["docferry", *args], cwd=FOLDER, env={**os.environ, **SERVICE})
    try:
        return process.wait()
    except BaseException:
        # Dagster ends the run: docferry finishes its requests in flight, which may take 30 s.
        process.terminate()
        process.wait()
        raise


@dg.op(out=dg.DynamicOut(str))
def shards():
    for shard in range(1, SHARDS + 1):
        yield dg.DynamicOutput(f"{shard}/{SHARDS}", mapping_key=str(shard))


@dg.op
def import_shard(context: dg.OpExecutionContext, shard: str) -> str:
    day = context.partition_key
    command = ["import", f"exports/{day}/*.csv", "--mapping", "mapping.yaml", "--monitoring", "1"]
    code = docferry(*command, "--run", f"nightly-{day}", "--shard", shard, "--quiet")
    # Stopped early, interrupted, or killed: the next attempt continues.
    if code in (4, 130) or code < 0:
        raise dg.RetryRequested(max_retries=10, seconds_to_wait=60)
    if code != 0:
        raise dg.Failure(f"docferry ended with exit code {code}", allow_retries=False)
    return shard


@dg.op
def report(context: dg.OpExecutionContext, done: list[str]) -> None:
    day = context.partition_key
    files = ["--rejects", f"results/{day}.rejects.csv", "--report", f"results/{day}.report.json"]
    code = docferry("report", f"nightly-{day}", *files, "--overwrite")
    if code == 1:
        context.log.warning("Some records are invalid or rejected: see the rejects in results/")
    elif code != 0:
        raise dg.Failure(f"docferry ended with exit code {code}", allow_retries=False)


@dg.job(
    partitions_def=dg.DailyPartitionsDefinition(start_date="2026-01-01"),
    config={"execution": {"config": {"multiprocess": {"max_concurrent": 16}}}},
)
def import_reviews():
    report(shards().map(import_shard).collect())


defs = dg.Definitions(jobs=[import_reviews])
