export const EXPOSED_TOOL = {
  isTool: 'Offer as a tool',
  name: 'Tool name',
  description: 'What the tool does',
  descriptionHelp: 'Assistants read this to decide when to use the tool.',
};
