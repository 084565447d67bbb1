import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { canNotify, forgetNotices, wantNotices, wantsNotices } from '../../app/storage/noticeChoice.ts';
import { NOTICES } from '../../app/storage/noticeWords.ts';

/** Switches notifications in this browser. The browser's permission is requested only when the person clicks. */
export function NoticeSetting({ userId }: { userId: string }) {
  const [isOn, setOn] = useState(() => wantsNotices(userId));
  const [refusal, setRefusal] = useState<string>();
  const turnOn = async () => {
    const leave = await Notification.requestPermission();
    if (leave !== 'granted') return setRefusal(leave === 'denied' ? NOTICES.denied : NOTICES.unasked);
    try {
      // Phone browsers define `Notification` but throw here.
      new Notification(NOTICES.title, { body: NOTICES.trial, tag: 'trial', icon: '/console/assets/perdure.svg' });
    } catch {
      return setRefusal(NOTICES.impossible);
    }
    wantNotices(userId);
    setRefusal(undefined);
    setOn(true);
  };
  const turnOff = () => {
    forgetNotices();
    setOn(false);
  };
  return (
    <Stack gap="sm" align="start">
      <Text size="sm">{NOTICES.means}</Text>
      {canNotify() ? (
        <>
          <Text role="status">{refusal ?? (isOn ? NOTICES.on : NOTICES.off)}</Text>
          <Button variant="default" onClick={isOn ? turnOff : () => void turnOn()}>
            {isOn ? NOTICES.turnOff : NOTICES.turnOn}
          </Button>
        </>
      ) : (
        <Text>{NOTICES.impossible}</Text>
      )}
    </Stack>
  );
}
