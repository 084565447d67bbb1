import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { roomOf } from '../rooms.mjs';

const NO_SOURCES = new Set(['node_modules', 'dist', 'coverage']);

/** @returns {string[]} All test files below a folder, relative to `root`, in a fixed order. */
export function testFiles(root, folder = '') {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return NO_SOURCES.has(entry.name) || entry.name.startsWith('.') ? [] : testFiles(root, path);
      }
      return entry.name.endsWith('.test.ts') ? [path.replaceAll(sep, '/')] : [];
    });
}

/**
 * The files of each room whose path contains one of `parts`; all if there are none.
 * @returns {Map<string, string[]>} by the room's name
 */
export function filesByRoom(root, parts) {
  const chosen = testFiles(root).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  const rooms = new Map();
  for (const file of chosen) {
    const room = roomOf(file);
    rooms.set(room, [...(rooms.get(room) ?? []), file]);
  }
  return rooms;
}

/**
 * Removes files from their rooms.
 * @param {Map<string, string[]>} files by the room's name
 * @param {(file: string) => boolean} goes
 * @returns {string[]} The removed files.
 */
export function takeAway(files, goes) {
  return [...files].flatMap(([room, all]) => {
    const stays = all.filter((file) => !goes(file));
    if (stays.length > 0) files.set(room, stays);
    else files.delete(room);
    return all.filter((file) => goes(file));
  });
}
