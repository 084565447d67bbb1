import { useQuery } from '@tanstack/react-query';
import type { FileUIPart } from 'ai';
import { useRef, useState } from 'react';
import { ME } from '../../../app/api/me.ts';
import { messageDraftKey } from '../../../app/storage/drafts.ts';
import { filesOf, keepFiles, useFilesOf } from '../../../app/storage/keptFiles.ts';
import { personId } from '../../../app/storage/personId.ts';
import { charactersOf, filePart, MAX_CHARACTERS } from './messageFiles.ts';
import { CHAT } from './words.ts';

/** Files are kept until the message is sent, as its text is. `refused` explains files that cannot be sent. */
export function useAttachedFiles(agentId: string, taskId: string | undefined) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? '' : messageDraftKey(personId(me), agentId, taskId);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const files = useFilesOf(key);
  /** Selections are read one after the other, so that each size check counts the files before it. */
  const before = useRef<Promise<void>>(Promise.resolve());
  const [isReading, setReading] = useState(false);
  const add = (chosen: readonly File[]) => {
    if (chosen.length === 0) return;
    setRefused([]);
    setReading(true);
    const reading = before.current.then(async () => {
      for (const file of chosen) {
        const part = await filePart(file).catch(() => undefined);
        const now = filesOf(key);
        if (part === undefined) setRefused((given) => [...given, CHAT.files.unreadable(file.name)]);
        else if (charactersOf([...now, part]) > MAX_CHARACTERS)
          setRefused((given) => [...given, CHAT.files.large(file.name)]);
        else void keepFiles(key, [...now, part]);
      }
      if (before.current === reading) setReading(false);
    });
    before.current = reading;
  };
  return {
    files,
    isReading,
    refused,
    add,
    remove: (file: FileUIPart) =>
      void keepFiles(
        key,
        files.filter((each) => each !== file),
      ),
    /** Call after sending: removes the files that the message contains. */
    sent: () => {
      setRefused([]);
      void keepFiles(
        key,
        filesOf(key).filter(({ url }) => files.every((each) => each.url !== url)),
      );
    },
  };
}
