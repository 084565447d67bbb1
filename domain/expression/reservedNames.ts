import { endOfLiteral } from './template.ts';

// `loop` is reserved in CEL. The parser receives another name of the same length, so that positions stay the same.
const SAFE_NAME = 'lo0p';
const NAME = /loop(?![A-Za-z0-9_])/y;
const BEFORE_NAME = /[A-Za-z0-9_]$|\.\s*\??\s*$/;

export function safeNames(text: string): string {
  if (!text.includes('loop')) return text;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    let end = at + 1;
    if (char === '"' || char === "'") {
      end = endOfLiteral(text, at, char);
    } else if (char === 'l') {
      NAME.lastIndex = at;
      if (NAME.test(text) && !BEFORE_NAME.test(text.slice(Math.max(0, at - 20), at))) {
        result += SAFE_NAME;
        at += SAFE_NAME.length;
        continue;
      }
    }
    result += text.slice(at, end);
    at = end;
  }
  return result;
}

export function restoreNames(text: string): string {
  return text.replaceAll(SAFE_NAME, 'loop');
}
