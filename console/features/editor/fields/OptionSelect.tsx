import { Combobox, TextInput } from '@mantine/core';
import { useAside } from '../expression/ExpressionField.tsx';
import {
  OptionDropdown,
  type OptionFieldProps,
  OptionHelp,
  OptionState,
  optionSection,
  useOptionBox,
} from './OptionBox.tsx';

interface OptionSelectProps extends OptionFieldProps {
  chosen: string | undefined;
  onChoose: (value: string | undefined) => void;
}

/** Chooses one option, or takes what is typed. */
export function OptionSelect({ chosen, onChoose, ...props }: OptionSelectProps) {
  const { spec, field, error, list, search, isOpen, nameOf } = props;
  const label = chosen === undefined ? '' : nameOf(chosen);
  const { store, listId, target, onOptionSubmit, input } = useOptionBox(props, label, (value) => {
    onChoose(value === '' ? undefined : value);
    store.closeDropdown();
  });
  return (
    <div>
      <Combobox store={store} onOptionSubmit={onOptionSubmit} keepMounted={false}>
        <Combobox.Target withExpandedAttribute {...target}>
          <TextInput
            label={spec.label}
            required={spec.required}
            description={<OptionHelp help={spec.help} hint={list.hint} value={label === chosen ? undefined : chosen} />}
            error={error}
            data-field={field}
            {...useAside()}
            disabled={list.hint !== undefined}
            rightSection={optionSection(list)}
            rightSectionPointerEvents="none"
            {...input}
          />
        </Combobox.Target>
        <OptionDropdown
          id={listId}
          label={spec.label}
          list={list}
          search={search}
          chosen={chosen === undefined ? [] : [chosen]}
        />
      </Combobox>
      <OptionState list={list} isOpen={isOpen} store={store} />
    </div>
  );
}
