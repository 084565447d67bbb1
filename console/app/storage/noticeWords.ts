import { counted } from '../../ui/words/counted.ts';

/** Words of the browser's notifications, and of the setting for them. */
export const NOTICES = {
  title: 'Notifications of the browser',
  means:
    'For questions that you may answer, calls of tools that wait for an approval, and answers of agents that you wrote to here, while no page of the console is in sight. They end when you log out.',
  turnOn: 'Turn on notifications',
  turnOff: 'Turn off notifications',
  on: 'Notifications are on in this browser.',
  off: 'Notifications are off.',
  denied: 'The browser forbids them. Allow notifications of this site in its settings, then turn them on here.',
  unasked: 'The browser was not given an answer. Try again when you like.',
  impossible: 'This browser shows no notifications of this page. They need https, and a browser on a computer.',
  trial: 'This is how Perdure calls you.',
  questionOf: (execution: string, number: number) => `${execution} #${number} waits for your answer.`,
  questions: (count: number) => `${counted(count, 'question waits', 'questions wait')} for you`,
  questionsMean: 'The inbox has them all.',
  approval: (agent: string) => `${agent} asks before it acts`,
  finished: (agent: string) => `${agent} has answered`,
  failed: (agent: string) => `A turn of ${agent} has failed`,
  agent: 'An agent',
};
