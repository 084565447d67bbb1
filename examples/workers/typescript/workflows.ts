import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Argument, Charge } from './call.ts';

type Charges = { charge(argument: { inputs: object; call: { idempotencyKey: string } }): Promise<Charge> };

const { charge } = proxyActivities<Charges>({ startToCloseTimeout: '1 minute' });

interface Parts {
  customer: string;
  amount: number;
  parts: number;
  pauseMs: number;
}

export async function payInParts({ inputs, call }: Argument<Parts>): Promise<{ chargeIds: string[] }> {
  const { customer, amount, parts, pauseMs } = inputs;
  const chargeIds: string[] = [];
  for (let part = 0; part < parts; part += 1) {
    if (part > 0) await sleep(pauseMs);
    const { chargeId } = await charge({
      inputs: { customer, amount: amount / parts },
      call: { idempotencyKey: `${part}-${call.idempotencyKey}` },
    });
    chargeIds.push(chargeId);
  }
  return { chargeIds };
}
