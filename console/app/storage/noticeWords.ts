import { counted } from '../../ui/words/counted.ts';

export const NOTICES = {
  title: 'Browser notifications',
  means:
    'Notify you of questions that you may answer, tool calls that need approval, and agents that answer you, while no page of the console is visible. Logging out turns them off.',
  turnOn: 'Turn on notifications',
  turnOff: 'Turn off notifications',
  on: 'Notifications are on in this browser.',
  off: 'Notifications are off.',
  denied: 'The browser blocks notifications. Allow them for this site in its settings, then turn them on here.',
  unasked: 'You have not answered the browser’s question. Try again at any time.',
  impossible: 'This browser cannot show notifications for this page. They require HTTPS and a desktop browser.',
  trial: 'This is how Perdure calls you.',
  questionOf: (execution: string, number: number) => `${execution} #${number} waits for your answer.`,
  questions: (count: number) => `${counted(count, 'question waits', 'questions wait')} for you`,
  questionsMean: 'The inbox has them all.',
  approval: (agent: string) => `${agent} asks before it acts`,
  finished: (agent: string) => `${agent} has answered`,
  failed: (agent: string) => `A turn of ${agent} has failed`,
  agent: 'An agent',
};
