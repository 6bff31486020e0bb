"""Runs a DAG file with stand-ins for the few names of Airflow that it uses, and prints its operators as
JSON, in the order in which they run: their arguments, and what a mapped one is expanded to."""

import json
import runpy
import sys
import types


class Operator(dict):
    """Keeps what it was called with."""

    def __init__(self, **arguments):
        super().__init__(arguments)

    @classmethod
    def partial(cls, **arguments):
        return cls(**arguments)

    def expand(self, env):
        self["expanded"] = env
        return self

    def __rshift__(self, other):
        order.extend([self, other])
        return other


class Dag:
    def __init__(self, **_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made


order = []
for package in ("airflow", "airflow.providers", "airflow.providers.standard"):
    module(package)
module("airflow.sdk", DAG=Dag)
module("airflow.providers.standard.operators")
module("airflow.providers.standard.operators.bash", BashOperator=Operator)

runpy.run_path(sys.argv[1])
json.dump(order, sys.stdout, default=str)
