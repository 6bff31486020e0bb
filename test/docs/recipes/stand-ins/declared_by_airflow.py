"""Runs a DAG file with stand-ins for the few names of Airflow that it uses, and prints as JSON what it
declares: the operator's arguments, and what each task does for each exit code."""

import json
import runpy
import sys
import types


class FailException(Exception):
    pass


class SkipException(Exception):
    pass


class Declared(dict):
    """Keeps what it was called with."""

    output = "the result of import_export"

    def __init__(self, **arguments):
        super().__init__(arguments)
        declared.append(self)


class Dag(Declared):
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Model(dict):
    """A Kubernetes object, as its arguments."""

    def __init__(self, **arguments):
        super().__init__(arguments)


class Call:
    """A task in a DAG, with the tasks behind it."""

    def __rshift__(self, other):
        order.append([self.name, other.name])
        return other


def task(function):
    tasks[function.__name__] = function

    def called(code):
        assert code == Declared.output
        call = Call()
        call.name = function.__name__
        return call

    return called


def outcome_of(function, code):
    try:
        function(code)
    except FailException:
        return "fails"
    except SkipException:
        return "is skipped"
    return "succeeds"


def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made
    return made


declared, tasks, order = [], {}, []
module("airflow")
module("airflow.sdk", DAG=Dag, task=task)
module(
    "airflow.sdk.exceptions",
    AirflowFailException=FailException,
    AirflowSkipException=SkipException,
)
for package in ("airflow.providers", "airflow.providers.standard", "airflow.providers.cncf"):
    module(package)
for package in ("standard.operators", "cncf.kubernetes", "cncf.kubernetes.operators"):
    module(f"airflow.providers.{package}")
module("airflow.providers.standard.operators.bash", BashOperator=Declared)
module("airflow.providers.cncf.kubernetes.operators.pod", KubernetesPodOperator=Declared)
models = module("kubernetes.client.models")
models.__getattr__ = lambda name: Model
module("kubernetes")
module("kubernetes.client", models=models)

runpy.run_path(sys.argv[1])
dag, operator = declared
# Printing is no part of what is told.
stdout, sys.stdout = sys.stdout, sys.stderr
outcomes = {
    name: {code: outcome_of(function, str(code)) for code in (0, 1, 2, 3, 5, 70)}
    for name, function in tasks.items()
}
json.dump(
    {"dag": dag, "operator": operator, "outcomes": outcomes, "order": order}, stdout, default=str
)
