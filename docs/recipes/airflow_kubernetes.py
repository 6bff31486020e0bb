"""Imports one export a day with docferry in a pod of its own.

Airflow 3.1 or newer with apache-airflow-providers-cncf-kubernetes. The image is that of the
Dockerfile beside this file; the claim `docferry-import` has mapping.yaml, exports/ and results/, and
the secret `docferry` has `api-key`, as for the CronJob.
"""

from datetime import datetime, timedelta

from airflow.providers.cncf.kubernetes.operators.pod import KubernetesPodOperator
from airflow.sdk import DAG, task
from airflow.sdk.exceptions import AirflowFailException
from kubernetes.client import models as k8s

# As for the BashOperator: what a retry may cure fails, all other exit codes are the task's result.
# The shell passes a signal on, as the pod's first process has to.
COMMAND = """
docferry import 'exports/{{ ds }}.csv' --mapping mapping.yaml --monitoring 1 --resume \
  --rejects 'results/{run}.rejects.csv' --report 'results/{run}.report.json' --quiet &
trap 'kill -s TERM $!' TERM
wait $!
code=$?
while [ $code -gt 128 ] && kill -0 $! 2>/dev/null; do wait $!; code=$?; done
[ $code -ne 4 ] && [ $code -lt 128 ] || exit $code
echo $code >/airflow/xcom/return.json
"""

with DAG(
    dag_id="docferry_import_in_pod",
    schedule="0 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    # A second import of the same export would be refused (exit code 2).
    max_active_runs=1,
) as dag:
    import_export = KubernetesPodOperator(
        task_id="import_export",
        name="docferry-import",
        image="registry.example.com/docferry:1.0.0-rc.0",
        cmds=["sh", "-c"],
        arguments=[COMMAND],
        env_vars={
            "DOCFERRY_BASE_URL": "https://api.example.com/5.0",
            "DOCFERRY_USERNAME": "ana@example.com",
            "DOCFERRY_API_KEY_FILE": "/run/docferry/api-key",
        },
        volumes=[
            k8s.V1Volume(
                name="data",
                persistent_volume_claim=k8s.V1PersistentVolumeClaimVolumeSource(
                    claim_name="docferry-import"
                ),
            ),
            k8s.V1Volume(
                name="secret",
                # 288 is 0440: the group below may read it.
                secret=k8s.V1SecretVolumeSource(secret_name="docferry", default_mode=288),
            ),
        ],
        volume_mounts=[
            k8s.V1VolumeMount(name="data", mount_path="/data"),
            k8s.V1VolumeMount(name="secret", mount_path="/run/docferry", read_only=True),
        ],
        security_context=k8s.V1PodSecurityContext(
            run_as_non_root=True, run_as_user=1000, fs_group=1000
        ),
        # Requests in flight may take 30 s.
        termination_grace_period=40,
        get_logs=True,
        do_xcom_push=True,
        retries=4,
        retry_delay=timedelta(minutes=15),
    )

    @task
    def check_exit_code(code: int) -> None:
        """Fails if a person has to act before a retry makes sense."""
        if int(code) != 0:
            # After 5, clear import_export later: it reconciles the unknown documents.
            raise AirflowFailException(f"docferry ended with exit code {code}: see import_export")

    check_exit_code(import_export.output)
