import { Combobox, Pill, PillsInput } from '@mantine/core';
import { type KeyboardEvent, useId } from 'react';
import { useAside } from '../expression/ExpressionField.tsx';
import {
  OptionDropdown,
  type OptionFieldProps,
  OptionHelp,
  OptionState,
  optionSection,
  useOptionBox,
} from './OptionBox.tsx';

interface OptionPillsProps extends OptionFieldProps {
  chosen: readonly string[];
  onChange: (values: string[]) => void;
}

/** Chooses several options. A typed text is another one. */
export function OptionPills({ chosen, onChange, ...props }: OptionPillsProps) {
  const { spec, field, error, list, search, isOpen, nameOf } = props;
  const id = useId();
  const isBlocked = list.hint !== undefined;
  const without = (value: string) => onChange(chosen.filter((one) => one !== value));
  const { store, listId, target, onOptionSubmit, input } = useOptionBox(props, '', (value, how) => {
    if (value === '') return;
    if (!chosen.includes(value)) onChange([...chosen, value]);
    else if (how === 'picked') without(value);
  });
  const pressed = (event: KeyboardEvent) => {
    const last = chosen.at(-1);
    if (event.key === 'Backspace' && input.value === '' && last !== undefined) without(last);
    input.onKeyDown(event);
  };
  return (
    <div>
      <Combobox store={store} onOptionSubmit={onOptionSubmit} keepMounted={false}>
        <Combobox.DropdownTarget>
          <PillsInput
            id={id}
            label={spec.label}
            required={spec.required}
            description={<OptionHelp help={spec.help} hint={list.hint} />}
            error={error}
            data-field={field}
            {...useAside()}
            disabled={isBlocked}
            rightSection={optionSection(list)}
            rightSectionPointerEvents="none"
          >
            <Pill.Group>
              {chosen.map((value) => (
                <Pill key={value} disabled={isBlocked} withRemoveButton={!isBlocked} onRemove={() => without(value)}>
                  {nameOf(value)}
                </Pill>
              ))}
              <Combobox.EventsTarget withExpandedAttribute {...target}>
                <PillsInput.Field id={id} disabled={isBlocked} {...input} onKeyDown={pressed} />
              </Combobox.EventsTarget>
            </Pill.Group>
          </PillsInput>
        </Combobox.DropdownTarget>
        <OptionDropdown id={listId} label={spec.label} list={list} search={search} chosen={chosen} />
      </Combobox>
      <OptionState list={list} isOpen={isOpen} store={store} />
    </div>
  );
}
