"""Runs the asset of a Dagster file for a day, with stand-ins for the few names of Dagster that it uses,
and prints as JSON what came of it."""

import json
import runpy
import signal
import sys
import types


class MaterializeResult:
    def __init__(self, metadata):
        self.metadata = metadata


class RetryRequested(Exception):
    def __init__(self, max_retries, seconds_to_wait):
        self.told = {"max_retries": max_retries, "seconds_to_wait": seconds_to_wait}


class Failure(Exception):
    def __init__(self, description, allow_retries):
        self.told = {"description": description, "allow_retries": allow_retries}


class Interrupted(BaseException):
    """What Dagster raises in the middle of an asset when its run is ended."""


class Context:
    def __init__(self, day):
        self.partition_key = day
        self.log = self
        self.warnings = []

    def warning(self, text):
        self.warnings.append(text)


def end_run(*_):
    raise Interrupted


def asset(**_):
    return lambda function: function


signal.signal(signal.SIGTERM, end_run)
dagster = types.ModuleType("dagster")
dagster.__dict__.update(
    asset=asset,
    AssetExecutionContext=Context,
    DailyPartitionsDefinition=lambda start_date: None,
    Definitions=lambda assets, schedules: None,
    Failure=Failure,
    MaterializeResult=MaterializeResult,
    RetryRequested=RetryRequested,
    build_schedule_from_partitioned_job=lambda job, hour_of_day: None,
    define_asset_job=lambda name, selection: None,
)
sys.modules["dagster"] = dagster

context = Context(sys.argv[2])
told = {}
try:
    result = runpy.run_path(sys.argv[1])["imported_reviews"](context)
    told = {"metadata": result.metadata, "warnings": context.warnings}
except (RetryRequested, Failure) as error:
    told = {type(error).__name__: error.told}
except Interrupted:
    told = {"interrupted": True}
json.dump(told, sys.stdout)
