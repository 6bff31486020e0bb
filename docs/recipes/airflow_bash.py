"""Imports one export a day with docferry, which is installed on the workers.

Airflow 3.1 or newer with apache-airflow-providers-standard. All workers see FOLDER, which has
mapping.yaml, exports/ and results/; the state folder is kept there, too. A file of theirs has
the API key.
"""

from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, task
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

FOLDER = "/srv/docferry"

# Airflow retries whatever fails. So only what a retry may cure fails here: 4 (stopped early), 130
# (interrupted), and a killed process. All other exit codes go to the next task, which decides: the
# last line that is printed becomes the task's result.
COMMAND = """
docferry import 'exports/{{ ds }}.csv' --mapping mapping.yaml --monitoring 1 --resume \
  --rejects 'results/{run}.rejects.csv' --report 'results/{run}.report.json' --quiet
code=$?
[ $code -ne 4 ] && [ $code -lt 128 ] || exit $code
echo $code
"""

with DAG(
    dag_id="docferry_import",
    schedule="0 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    # A second import of the same export would be refused (exit code 2).
    max_active_runs=1,
) as dag:
    import_export = BashOperator(
        task_id="import_export",
        bash_command=COMMAND,
        cwd=FOLDER,
        env={
            "DOCFERRY_BASE_URL": "https://api.example.com/5.0",
            "DOCFERRY_USERNAME": "ana@example.com",
            "DOCFERRY_API_KEY_FILE": "/etc/docferry/api-key",
        },
        append_env=True,
        retries=4,
        retry_delay=timedelta(minutes=15),
    )

    @task
    def check_exit_code(code: str) -> None:
        """Fails if a person has to act before a retry makes sense."""
        if int(code) > 1:
            # After 5, clear import_export later: it reconciles the unknown documents.
            raise AirflowFailException(f"docferry ended with exit code {code}: see import_export")

    @task
    def tell_about_rejects(code: str) -> None:
        """Is skipped unless records are invalid or rejected: mail or post what you like here."""
        if int(code) != 1:
            raise AirflowSkipException("nothing was invalid or rejected")
        print(f"See the rejects in {FOLDER}/results")

    code = import_export.output
    check_exit_code(code) >> tell_about_rejects(code)
