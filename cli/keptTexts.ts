import type { Document } from 'yaml';
import { filledText, namesIn } from './environmentText.ts';
import type { Stays } from './fileEdits.ts';
import type { FolderSettings } from './folderSettings.ts';

const MASK = '********';

/** Places of texts that stay as they are in a file. */
export interface Kept {
  /** A name is not set, so the text could mean the value of the server. */
  uncompared: string[];
  /** The server has another value. */
  different: string[];
}

interface Source {
  environment: NodeJS.ProcessEnv;
  settings: FolderSettings;
  kept: Kept;
}

/** Keeps masked secrets and texts with names of the environment, whatever the server has in their place. */
export function staysIn(file: string, document: Document, { environment, settings, kept }: Source): Stays {
  const fill = (name: string) => (settings.environment.has(name) ? environment[name] : undefined);
  return (at, server) => {
    const written = document.getIn(at);
    if (typeof written !== 'string') return false;
    if (server === MASK && written !== '') return true;
    const names = namesIn(written);
    if (names.length === 0) return false;
    const isOpen = names.some((name) => fill(name) === undefined);
    const place = `${file}: ${at.join('.')}`;
    if (isOpen && typeof server === 'string' && isFilledBy(written, server, fill)) kept.uncompared.push(place);
    else kept.different.push(place);
    return true;
  };
}

/** Whether values for the unset names would turn the file's text into the server's. */
function isFilledBy(written: string, server: string, fill: (name: string) => string | undefined): boolean {
  const [first = '', ...rest] = filledText(written, (name) => fill(name) ?? OPEN).split(OPEN);
  const last = rest.pop() ?? '';
  if (!server.startsWith(first) || !server.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = server.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= server.length - last.length;
}

/** A character that no YAML text can contain. */
const OPEN = '\u0000';
