"""The README's first workflow, by the Python client that was generated. Arguments: URL, key, project. Prints the output."""

import json
import sys
import time
from uuid import UUID

import httpx

from perdure_client.api.executions import get_execution
from perdure_client.api.webhooks import submit_input
from perdure_client.api.workflows import upsert_workflow
from perdure_client.client import AuthenticatedClient
from perdure_client.models import ExecutionExpansion, ExecutionStatus, SubmitInputBody, UpsertedWorkflow, WorkflowUpsert

url, key, project = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key, raise_on_unexpected_status=True)
definition = WorkflowUpsert.from_dict(json.load(sys.stdin))
workflow = upsert_workflow.sync(UUID(project), client=client, body=definition)
assert isinstance(workflow, UpsertedWorkflow), workflow

# Whoever calls a webhook is no client of this API, and its body is free: it has no generated type.
called = httpx.post(f"{url}/api/webhooks/workflows/{workflow.id}", json={"person": "Ada", "amount": 42.5})
execution_id = UUID(called.raise_for_status().headers["x-execution-id"])


SHOWN = [ExecutionExpansion.STATUS, ExecutionExpansion.OUTPUT, ExecutionExpansion.PENDINGINPUT]


def until(status: ExecutionStatus):
    for _ in range(300):
        execution = get_execution.sync(execution_id, client=client, expansion=SHOWN)
        if execution.status == status:
            return execution
        time.sleep(0.1)
    raise TimeoutError(f"{execution_id} is {execution.status}, and not {status}")


[question] = until(ExecutionStatus.NEEDS_INPUT).pending_input
print(question.title)
answer = SubmitInputBody.from_dict({"approved": True, "comment": "have a good trip"})
assert submit_input.sync(execution_id, question.node_id, client=client, body=answer).accepted
print(json.dumps(until(ExecutionStatus.COMPLETED).output))
