"""Imports one export a day with docferry, as a partitioned asset.

FOLDER has mapping.yaml, exports/ and results/; the state folder is kept there, too.
"""

import json
import os
import subprocess

import dagster as dg

FOLDER = "/srv/docferry"
SERVICE = {
    "DOCFERRY_BASE_URL": "https://api.example.com/5.0",
    "DOCFERRY_USERNAME": "ana@example.com",
    "DOCFERRY_API_KEY_FILE": "/etc/docferry/api-key",
}


def import_export(day: str) -> tuple[int, str]:
    """Runs docferry; gives its exit code, negative if a signal ended it, and its report as JSON."""
    command = ["docferry", "import", f"exports/{day}.csv", "--mapping", "mapping.yaml"]
    command += ["--monitoring", "1", "--resume", "--json", "--quiet"]
    command += ["--rejects", "results/{run}.rejects.csv", "--report", "results/{run}.report.json"]
    env = {**os.environ, **SERVICE}
    process = subprocess.Popen(command, cwd=FOLDER, env=env, stdout=subprocess.PIPE, text=True)
    try:
        report, _ = process.communicate()
    except BaseException:
        # Dagster ends the run: docferry finishes its requests in flight, which may take 30 s.
        process.terminate()
        process.wait()
        raise
    return process.returncode, report


@dg.asset(
    partitions_def=dg.DailyPartitionsDefinition(start_date="2026-01-01"),
    # Limit this pool to 1, so that a second import of the same export waits.
    pool="docferry",
)
def imported_reviews(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    """The reviews of a day, in monitoring 1."""
    code, report = import_export(context.partition_key)
    # Stopped early, interrupted, or killed: a retry resumes it.
    if code in (4, 130) or code < 0:
        raise dg.RetryRequested(max_retries=4, seconds_to_wait=900)
    # Finished; with 1, some records are invalid or rejected.
    if code in (0, 1):
        counts = json.loads(report)["counts"]
        if code == 1:
            context.log.warning("Some records are invalid or rejected: see the rejects in results/")
        return dg.MaterializeResult(metadata=counts)
    # After 5, materialise the day again later: that reconciles the unknown documents.
    raise dg.Failure(f"docferry ended with exit code {code}", allow_retries=False)


import_job = dg.define_asset_job("import_reviews", [imported_reviews])

defs = dg.Definitions(
    assets=[imported_reviews],
    schedules=[dg.build_schedule_from_partitioned_job(import_job, hour_of_day=2)],
)
