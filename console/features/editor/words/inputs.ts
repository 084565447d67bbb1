interface InputWords {
  label: string;
  help?: string;
}

const KEEP_OUTPUTS: InputWords = { label: 'Keep outputs', help: 'No: the output is {total, completed, failed} alone' };

export const INPUT_WORDS: {
  inputs: Record<string, Record<string, InputWords>>;
  options: Record<string, string>;
} = {
  inputs: {
    condition: {
      condition: { label: 'Condition', help: 'An expression that is true or false: {{ trigger.amount > 100 }}' },
    },
    switch: {
      value: { label: 'Value', help: 'What the cases are compared with. Empty: each case has a condition.' },
      cases: { label: 'Cases' },
    },
    forEach: {
      items: { label: 'Items', help: 'A list or an object: {{ trigger.orders }}' },
      concurrency: { label: 'At once', help: 'Empty: one after the other' },
      onItemError: { label: 'If an item fails' },
      keepOutputs: KEEP_OUTPUTS,
    },
    repeat: {
      times: { label: 'Times', help: 'One of times, while and until' },
      while: { label: 'While', help: 'Asked before each round' },
      until: { label: 'Until', help: 'Asked after each round' },
      maximumIterations: { label: 'Most rounds', help: 'Empty: 1000' },
      pauseMs: { label: 'Pause between rounds' },
      keepOutputs: KEEP_OUTPUTS,
    },
    input: {
      title: { label: 'Title' },
      instructions: { label: 'Instructions' },
      fields: { label: 'Form fields' },
      submitters: {
        label: 'Who may answer',
        help: 'members, link, anyone (empty), or a list of e-mail addresses and roles',
      },
      approvals: { label: 'Answers needed', help: 'Empty: one' },
      expiresInMs: { label: 'Expires after', help: 'Empty: never' },
      excludeStarter: { label: 'Not who started it' },
    },
    delay: {
      forMs: { label: 'For', help: 'Either this or a time' },
      until: { label: 'Until', help: '2026-11-21T10:15:30Z, or an expression that gives a time' },
    },
    runWorkflow: {
      workflowId: { label: 'Workflow' },
      slug: { label: 'Slug', help: 'The slug of a workflow of the same project, or an expression' },
      input: { label: 'Its trigger gets' },
      wait: { label: 'Wait for its end' },
    },
    respond: {
      status: { label: 'Status', help: 'Empty: 200' },
      headers: { label: 'Headers', help: '{"content-type": "text/plain"}' },
      body: { label: 'Body' },
      encoding: { label: 'Encoding of the body' },
    },
    stop: {
      outcome: { label: 'The execution' },
      message: { label: 'Message' },
      output: { label: 'Output' },
    },
  },
  options: {
    stop: 'stop the loop',
    continue: 'go on with the others',
    base64: 'base64',
    plain: 'text or JSON',
    completed: 'completes',
    failed: 'fails',
  },
};
