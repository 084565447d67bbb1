import {
  type CalendarSpec,
  type Client,
  type Month,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Config } from '../../config.ts';
import { summary } from '../../domain/execution/summary.ts';
import type { CalendarTimes } from '../../domain/workflow/cron.ts';
import type { Overlap } from '../../domain/workflow/definition.ts';
import type { TriggerSchedule } from '../../domain/workflow/triggerSchedule.ts';
import {
  fairShare,
  type PolledRun,
  RUN_POLL,
  RUN_SCHEDULED,
  type ScheduledRun,
  WORKFLOW_ATTRIBUTE,
  WORKSPACE_ATTRIBUTE,
} from '../../temporal-workflows/names.ts';
import { engineCalls, repeatedEngineCalls } from '../temporal/engineCalls.ts';

export interface ScheduledWorkflow {
  workspaceId: string;
  workflowId: string;
  name: string;
  schedule: TriggerSchedule;
}

/** The engine's schedules. Calls end within TEMPORAL_CALL_TIMEOUT_MS; EngineAway if the server does not answer. */
export interface EngineSchedules {
  put(scheduled: ScheduledWorkflow): Promise<void>;
  /** Also succeeds if there is none. Started executions continue. */
  remove(workflowId: string): Promise<void>;
  has(workflowId: string): Promise<boolean>;
  nextTime(workflowId: string): Promise<Date | undefined>;
}

export function createTemporalSchedules(client: Client, config: Config): EngineSchedules {
  const inTime = engineCalls(client, config.TEMPORAL_CALL_TIMEOUT_MS);
  // Describing or changing a schedule queries its workflow.
  const repeated = repeatedEngineCalls(client, config.TEMPORAL_CALL_TIMEOUT_MS);
  const handleOf = (workflowId: string) => client.schedule.getHandle(scheduleId(workflowId));

  async function describe(workflowId: string) {
    try {
      return await repeated(() => handleOf(workflowId).describe());
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return undefined;
      throw error;
    }
  }

  return {
    async put(scheduled) {
      const options = optionsOf(scheduled, config.TEMPORAL_TASK_QUEUE);
      try {
        await inTime(() => client.schedule.create(options));
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        const { spec, action, policies } = options;
        await repeated(() =>
          handleOf(scheduled.workflowId).update(({ state }) => ({
            spec,
            action,
            state,
            ...(policies ? { policies } : {}),
          })),
        );
      }
    },

    async remove(workflowId) {
      try {
        await inTime(() => handleOf(workflowId).delete());
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      }
    },

    has: async (workflowId) => (await describe(workflowId)) !== undefined,

    async nextTime(workflowId) {
      const found = await describe(workflowId);
      return found === undefined || found.state.paused ? undefined : found.info.nextActionTimes[0];
    },
  };
}

function scheduleId(workflowId: string): string {
  return `schedule-${workflowId}`;
}

const OVERLAP: Record<Overlap, ScheduleOverlapPolicy> = {
  skip: ScheduleOverlapPolicy.SKIP,
  bufferOne: ScheduleOverlapPolicy.BUFFER_ONE,
  bufferAll: ScheduleOverlapPolicy.BUFFER_ALL,
  cancelOther: ScheduleOverlapPolicy.CANCEL_OTHER,
  terminateOther: ScheduleOverlapPolicy.TERMINATE_OTHER,
  allowAll: ScheduleOverlapPolicy.ALLOW_ALL,
};

function optionsOf({ workspaceId, workflowId, name, schedule }: ScheduledWorkflow, taskQueue: string): ScheduleOptions {
  const { calendars, everyMs, timezone, jitterMs, overlap, catchupWindowMs } = schedule;
  const run: PolledRun = { workspaceId, workflowId };
  const scheduledRun: ScheduledRun = { ...run, overlap };
  const isPoll = schedule.kind === 'poll';
  return {
    scheduleId: scheduleId(workflowId),
    spec: {
      ...(calendars === undefined ? {} : { calendars: calendars.map(calendarSpec) }),
      ...(everyMs === undefined ? {} : { intervals: [{ every: everyMs }] }),
      timezone,
      jitter: jitterMs,
    },
    action: {
      type: 'startWorkflow',
      workflowType: isPoll ? RUN_POLL : RUN_SCHEDULED,
      // The engine adds the time.
      workflowId: `${isPoll ? 'poll' : 'scheduled'}-${workflowId}`,
      taskQueue,
      args: [isPoll ? run : scheduledRun],
      staticSummary: summary(name),
      typedSearchAttributes: new TypedSearchAttributes([
        { key: WORKSPACE_ATTRIBUTE, value: workspaceId },
        { key: WORKFLOW_ATTRIBUTE, value: workflowId },
      ]),
      // The SDK passes it on, but its type of a schedule's action lacks it.
      ...{ priority: fairShare({ workspaceId }) },
    },
    policies: { overlap: OVERLAP[overlap], catchupWindow: catchupWindowMs },
  };
}

const MONTHS: readonly Month[] = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
];
const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

function calendarSpec({ month, dayOfWeek, ...times }: CalendarTimes): CalendarSpec {
  return {
    ...times,
    month: month === '*' ? '*' : month.map((each) => MONTHS[each - 1] as Month),
    dayOfWeek: dayOfWeek === '*' ? '*' : dayOfWeek.map((each) => DAYS[each] as (typeof DAYS)[number]),
  };
}
