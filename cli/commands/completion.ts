import type { Handler } from '../commandSpec.ts';
import { EXIT, Usage } from '../exitCode.ts';

const SCRIPTS: Record<string, string> = {
  bash: `_perdure() {
  COMPREPLY=($(perdure __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _perdure perdure`,
  zsh: `#compdef perdure
_perdure() {
  compadd -- $(perdure __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
}
compdef _perdure perdure`,
  fish: `complete -c perdure -f -a '(perdure __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};

export const completion: Handler = async ({ arguments: [shell], out }) => {
  const script = SCRIPTS[shell as string];
  if (script === undefined) throw new Usage(`Completion is for ${Object.keys(SCRIPTS).join(', ')}, not ${shell}`);
  out.line(script);
  return EXIT.done;
};
