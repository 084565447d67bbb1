import { CloseButton, Text } from '@mantine/core';
import type { FileUIPart } from 'ai';
import { plainName } from './plainName.ts';
import { CHAT } from './words.ts';

const words = CHAT.files;

interface AttachedFilesProps {
  files: readonly FileUIPart[];
  refused: readonly string[];
  onRemove: (file: FileUIPart) => void;
}

export function AttachedFiles({ files, refused, onRemove }: AttachedFilesProps) {
  return (
    <>
      {files.length > 0 && (
        <ul className="attached" aria-label={words.attached}>
          {files.map((file, at) => {
            const name = plainName(file.filename ?? '');
            return (
              <li key={`${at} ${name}`}>
                {file.mediaType.startsWith('image/') && <img src={file.url} alt="" />}
                <bdi>{name}</bdi>
                <CloseButton size="sm" aria-label={words.remove(name)} onClick={() => onRemove(file)} />
              </li>
            );
          })}
        </ul>
      )}
      {refused.length > 0 && (
        <div role="alert">
          {refused.map((text) => (
            <Text key={text} size="sm" c="var(--ink-bad)" className="plain">
              {text}
            </Text>
          ))}
        </div>
      )}
    </>
  );
}
