import { useQuery } from '@tanstack/react-query';
import type { FileUIPart } from 'ai';
import { useRef, useState } from 'react';
import { ME } from '../../../app/api/me.ts';
import { messageDraftKey } from '../../../app/storage/drafts.ts';
import { filesOf, keepFiles, useFilesOf } from '../../../app/storage/keptFiles.ts';
import { personId } from '../../../app/storage/personId.ts';
import { utf8Text } from '../../../ui/files/fileInput.ts';
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

/** The limit for all files of a message, encoded. The whole request may have MAX_BODY_BYTES, a megabyte. */
const MAX_CHARACTERS = 900_000;

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Larger pictures, such as photos from phones, are scaled down. */
const LARGE_PICTURE_BYTES = 300_000;
const MAX_SIDE = 1_600;
const QUALITY = 0.8;

/** Larger files are refused unread: no model would take them. */
const MAX_BYTES = 20_000_000;

/** Undefined if an agent cannot read the file. Allowed are pictures, PDFs and texts of any kind. */
async function filePart(file: File): Promise<FileUIPart | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  const filename = file.name;
  if (PICTURES.has(file.type)) {
    const picture = file.size > LARGE_PICTURE_BYTES ? await smaller(file) : file;
    return { type: 'file', mediaType: picture.type, filename, url: await dataUrl(picture) };
  }
  if (file.type === 'application/pdf') {
    return { type: 'file', mediaType: file.type, filename, url: await dataUrl(file) };
  }
  const bytes = await file.arrayBuffer();
  const text = utf8Text(bytes);
  if (text === undefined || text.includes('\0')) return undefined;
  // Providers recognise text by its media type; JSON, YAML and SVG are text as well.
  const mediaType = file.type.startsWith('text/') ? file.type : 'text/plain';
  return { type: 'file', mediaType, filename, url: await dataUrl(new Blob([bytes], { type: mediaType })) };
}

const charactersOf = (files: readonly FileUIPart[]) => files.reduce((sum, { url }) => sum + url.length, 0);

/** Converts the first frame to JPEG with sides of at most MAX_SIDE. */
async function smaller(file: File): Promise<Blob> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const place = canvas.getContext('2d');
  if (place === null) return file;
  // JPEG has no transparency: transparent pixels would become black.
  place.fillStyle = '#fff';
  place.fillRect(0, 0, canvas.width, canvas.height);
  place.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  return made !== null && made.size < file.size ? made : file;
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => fail(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(blob);
  });
}
