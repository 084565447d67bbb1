"""Our own billing as actions of Perdure: two activities and a workflow of a Temporal worker."""

import asyncio
import json
import os
from datetime import timedelta
from urllib.request import Request, urlopen

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.worker import Worker

TASK_QUEUE = "billing-python"
PERDURE_URL = os.environ.get("PERDURE_URL", "http://127.0.0.1:3000")

# The payment service of this example: one charge for each idempotency key.
charges: dict[str, dict] = {}


def credentials(token: str) -> dict:
    """Exchanges the token of an attempt for the credentials of the step's connection. It works once."""
    body = json.dumps({"token": token}).encode()
    request = Request(f"{PERDURE_URL}/api/apps/credentials", body, {"Content-Type": "application/json"})
    with urlopen(request, timeout=10) as answer:
        return json.load(answer)["credentials"]


@activity.defn
async def price(argument: dict) -> dict:
    items = argument["inputs"]["items"]
    return {"total": sum(item["price"] * item["quantity"] for item in items)}


@activity.defn
async def charge(argument: dict) -> dict:
    inputs, call = argument["inputs"], argument["call"]
    if inputs["amount"] <= 0:
        # The type is the step's error code. Nobody tries again.
        raise ApplicationError("The amount must be positive", inputs, type="AMOUNT_INVALID", non_retryable=True)
    if "connection" in call:
        await asyncio.to_thread(credentials, call["connection"])
    # Perdure takes an activity without a heartbeat in 30 s as lost. A cancelled step raises CancelledError here.
    activity.heartbeat()
    key = call["idempotencyKey"]
    return charges.setdefault(key, {"chargeId": f"ch_{key[:8]}", "amount": inputs["amount"]})


@workflow.defn(name="payInParts")
class PayInParts:
    @workflow.run
    async def run(self, argument: dict) -> dict:
        inputs, call = argument["inputs"], argument["call"]
        charge_ids = []
        for part in range(inputs["parts"]):
            if part > 0:
                await asyncio.sleep(inputs["pauseMs"] / 1000)
            one = await workflow.execute_activity(
                "charge",
                {
                    "inputs": {"customer": inputs["customer"], "amount": inputs["amount"] / inputs["parts"]},
                    "call": {"idempotencyKey": f"{part}-{call['idempotencyKey']}"},
                },
                start_to_close_timeout=timedelta(minutes=1),
            )
            charge_ids.append(one["chargeId"])
        return {"chargeIds": charge_ids}


async def main() -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233"))
    worker = Worker(client, task_queue=TASK_QUEUE, activities=[price, charge], workflows=[PayInParts])
    print(f"polls {TASK_QUEUE}", flush=True)
    await worker.run()


if __name__ == "__main__":
    asyncio.run(main())
