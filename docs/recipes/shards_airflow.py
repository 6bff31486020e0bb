"""Imports the exports of a day in 64 shards, 16 at a time, with docferry on all workers.

Airflow 3.1 or newer with apache-airflow-providers-standard. All workers see FOLDER, which has
mapping.yaml, exports/ and results/. DOCFERRY_STATE, the address of a Postgres database, comes from
their own environment; a file of theirs has the API key.
"""

from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

FOLDER = "/srv/docferry"
SHARDS = 64
SERVICE = {
    "DOCFERRY_BASE_URL": "https://api.example.com/5.0",
    "DOCFERRY_USERNAME": "ana@example.com",
    "DOCFERRY_API_KEY_FILE": "/etc/docferry/api-key",
}

with DAG(
    dag_id="docferry_shards",
    schedule="0 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
) as dag:
    import_shard = BashOperator.partial(
        task_id="import_shard",
        bash_command="""
docferry import 'exports/{{ ds }}/*.csv' --mapping mapping.yaml --monitoring 1 \
  --run 'nightly-{{ ds }}' --shard "$SHARD" --quiet
""",
        cwd=FOLDER,
        append_env=True,
        max_active_tis_per_dagrun=16,
        # With 2 and 3 a person is needed: no retry, and the report says that the shard is missing.
        skip_on_exit_code=[2, 3],
        retries=10,
        retry_delay=timedelta(minutes=1),
    ).expand(env=[{**SERVICE, "SHARD": f"{shard}/{SHARDS}"} for shard in range(1, SHARDS + 1)])

    # Fails unless all shards are done; 1 (some records are invalid or rejected) is no failure here.
    report = BashOperator(
        task_id="report",
        bash_command="""
docferry report 'nightly-{{ ds }}' --rejects 'results/{{ ds }}.rejects.csv' \
  --overwrite --report 'results/{{ ds }}.report.json' || [ $? -eq 1 ]
""",
        cwd=FOLDER,
        trigger_rule="all_done",
    )
    import_shard >> report
