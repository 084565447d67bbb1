import { parentPort } from 'node:worker_threads';
import { type EvaluationCall, performEvaluation } from './evaluationTask.ts';

const port = parentPort;
if (port === null) throw new Error('evaluationThread is the entry of a worker thread');
port.on('message', (call: EvaluationCall) => port.postMessage(performEvaluation(call)));
port.postMessage('ready');
