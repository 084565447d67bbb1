import { Button, FileButton } from '@mantine/core';
import { failed } from '../notices.tsx';
import { fileText, SAME_FILE_AGAIN } from './fileInput.ts';
import { FILES } from './words.ts';

export function RowsFileButton({ onText }: { onText: (text: string) => void }) {
  const take = async (file: File) => {
    const text = fileText(await file.arrayBuffer());
    if (text === undefined) throw new Error(FILES.notUtf8);
    onText(text);
  };
  return (
    <FileButton
      accept=".csv,.json,text/csv,application/json"
      inputProps={SAME_FILE_AGAIN}
      onChange={(file) => file !== null && void take(file).catch(failed)}
    >
      {(button) => (
        <Button variant="default" {...button}>
          {FILES.choose}
        </Button>
      )}
    </FileButton>
  );
}
