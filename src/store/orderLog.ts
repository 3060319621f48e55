export interface OrderLog {
  readonly placeholder: never
}
