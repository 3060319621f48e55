import { Modal, NativeSelect, Switch, Table } from '@mantine/core'
import { UNDO_SECONDS, useUndoSeconds } from '../order/undoTime.ts'
import { boundKeys, shownKeys, useSingleKeys } from './keys.ts'

/** Lists all keys that are bound on this page. */
export function KeyMap({ opened, isSeller, onClose }: { opened: boolean; isSeller: boolean; onClose: () => void }) {
  const [singleKeys, setSingleKeys] = useSingleKeys()
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" size="md" closeButtonProps={{ 'aria-label': 'Close' }}>
      {opened &&
        boundKeys().map(({ title, bindings }) => (
          <Table key={title} captionSide="top" verticalSpacing={4} mb="md">
            <caption style={{ textAlign: 'left', fontWeight: 600 }}>{title}</caption>
            <Table.Tbody>
              {bindings.map(({ keys, does }) => (
                <Table.Tr key={keys}>
                  <Table.Td w={120}>
                    <Keys keys={keys} />
                  </Table.Td>
                  <Table.Td>{does}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ))}
      <Switch
        label="Single keys"
        description="Off, only combinations with Ctrl or Cmd work: for speech input."
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
      {isSeller && <UndoTime />}
    </Modal>
  )
}

function UndoTime() {
  const [seconds, setSeconds] = useUndoSeconds()
  return (
    <NativeSelect
      mt="sm"
      label="Time to undo a decision"
      description="It is sent when this has passed, with your next decision, or when you leave the page."
      value={String(seconds)}
      onChange={(event) => setSeconds(Number(event.currentTarget.value))}
      data={UNDO_SECONDS.map((one) => ({ value: String(one), label: one === 0 ? 'none, send at once' : `${one} seconds` }))}
    />
  )
}

export function Keys({ keys }: { keys: string }) {
  return (
    <>
      {shownKeys(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  )
}
