import type { FileUIPart } from 'ai';
import { utf8Text } from '../../../ui/files/utf8Text.ts';

/** The limit for all files of a message, encoded. The whole request may have MAX_BODY_BYTES, a megabyte. */
export const MAX_CHARACTERS = 900_000;

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Larger pictures, such as photos from phones, are scaled down. */
const LARGE_PICTURE_BYTES = 300_000;
const MAX_SIDE = 1_600;
const QUALITY = 0.8;

/** Larger files are refused unread: no model would take them. */
const MAX_BYTES = 20_000_000;

/** Undefined if an agent cannot read the file. Allowed are pictures, PDFs and texts of any kind. */
export async function filePart(file: File): Promise<FileUIPart | undefined> {
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

export const charactersOf = (files: readonly FileUIPart[]) => files.reduce((sum, { url }) => sum + url.length, 0);

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
