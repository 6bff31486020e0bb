"""Runs the job of a Dagster file for a day, one step after the other, with stand-ins for the few names of
Dagster that it uses."""

import inspect
import runpy
import sys
import types


class Context:
    partition_key = sys.argv[2]

    def __init__(self):
        self.log = self

    def warning(self, text):
        print(text)


class Outputs(list):
    """The dynamic outputs of a step."""

    def map(self, function):
        return Outputs(function(output) for output in self)

    def collect(self):
        return list(self)


class DynamicOutput(str):
    def __new__(cls, value, mapping_key):
        return super().__new__(cls, value)


def op(function=None, **_):
    if function is None:
        return op
    takes_context = "context" in inspect.signature(function).parameters

    def step(*inputs):
        result = function(*([Context()] if takes_context else []), *inputs)
        return Outputs(result) if inspect.isgenerator(result) else result

    return step


class Failure(Exception):
    def __init__(self, description, allow_retries):
        super().__init__(description)


class RetryRequested(Exception):
    def __init__(self, max_retries, seconds_to_wait):
        super().__init__("a retry is needed")


dagster = types.ModuleType("dagster")
dagster.__dict__.update(
    op=op,
    job=lambda **_: lambda function: function,
    DailyPartitionsDefinition=lambda start_date: None,
    Definitions=lambda jobs: None,
    DynamicOut=lambda kind: None,
    DynamicOutput=DynamicOutput,
    Failure=Failure,
    OpExecutionContext=Context,
    RetryRequested=RetryRequested,
)
sys.modules["dagster"] = dagster

runpy.run_path(sys.argv[1])["import_reviews"]()
