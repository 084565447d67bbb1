import type { UIMessageChunk } from 'ai';
import { cutText } from '../cutText.ts';
import { infiniteNumberAt } from '../infiniteNumber.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { placed } from '../place.ts';
import { storableText, storageProblem } from '../storableJson.ts';
import { approvalIdOf } from './approvals.ts';
import { MAX_ERROR_CHARACTERS, type OfferedTool, type ToolCallRef, type ToolCallStatus } from './tool.ts';

export interface MadeCall extends ToolCallRef {
  status: ToolCallStatus;
  input: JsonObject;
}

export interface AskedCall {
  toolCallId: string;
  name: string;
  text: string;
  metadata: Pick<Extract<UIMessageChunk, { type: 'tool-input-available' }>, 'providerMetadata'>;
  refusal: string | undefined;
}

export interface SettledCall {
  /** Absent: the model receives an error. */
  made?: MadeCall;
  chunks: UIMessageChunk[];
}

/** Decides about a call: it runs, waits for approval, is denied by its policy, or gives the model an error. */
export function settledCall(call: AskedCall, tools: ReadonlyMap<string, OfferedTool>): SettledCall {
  const { toolCallId, name, text, metadata, refusal } = call;
  const tool = tools.get(name);
  const { input, problem } = parsed(text);
  const failed = (errorText: string): SettledCall => {
    const toolName = tool ? name : cutText(storableText(name), MAX_NAME_CHARACTERS) || 'unknown';
    const given = input ?? cutText(storableText(text), MAX_ERROR_CHARACTERS);
    const shown = { toolCallId, toolName, input: given, errorText: cutText(errorText, MAX_ERROR_CHARACTERS) };
    return { chunks: [{ type: 'tool-input-error', ...shown, ...metadata, ...(tool ? {} : { dynamic: true }) }] };
  };
  if (refusal !== undefined) return failed(refusal);
  if (!tool) {
    const known = [...tools.keys()].join(', ');
    const named = cutText(storableText(name), MAX_NAME_CHARACTERS);
    return failed(
      `There is no tool ${JSON.stringify(named)}. ${known === '' ? 'There are none.' : `There are: ${known}`}`,
    );
  }
  const problems = input === undefined ? [problem] : tool.problems(input);
  if (input === undefined || problems.length > 0) return failed(`Invalid arguments: ${problems.join('; ')}`);
  const available: UIMessageChunk = { type: 'tool-input-available', toolCallId, toolName: name, input, ...metadata };
  const made = { toolCallId, kind: tool.kind, name, input };
  const asked: UIMessageChunk = { type: 'tool-approval-request', approvalId: approvalIdOf(toolCallId), toolCallId };
  if (tool.policy === 'deny') {
    // Clients recognize a denied call by its rejected approval (withDenials).
    const denied: UIMessageChunk = { type: 'tool-output-denied', toolCallId };
    return { made: { ...made, status: 'DENIED' }, chunks: [available, asked, denied] };
  }
  if (tool.policy === 'approve') {
    return { made: { ...made, status: 'NEEDS_APPROVAL' }, chunks: [available, asked] };
  }
  return { made: { ...made, status: 'PENDING' }, chunks: [available] };
}

const MAX_NAME_CHARACTERS = 200;

type Parsed = { input: JsonObject; problem?: undefined } | { input?: undefined; problem: string };

function parsed(text: string): Parsed {
  if (text.trim() === '') return { input: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return { problem: 'the arguments are not a JSON object' };
    const unstorable = storageProblem(JSON.stringify(value));
    if (unstorable !== undefined) return { problem: unstorable };
    const infinite = infiniteNumberAt(text, value);
    if (infinite === undefined) return { input: value };
    return { problem: placed({ path: infinite, message: 'is too large for a number' }) };
  } catch {
    return { problem: 'the arguments are not a JSON object' };
  }
}
