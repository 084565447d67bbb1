export interface Order {
  customer: string;
  items: { price: number; quantity: number }[];
}

export interface OrderTotal {
  customer: string;
  total: number;
}

export const ORDER: Order = {
  customer: 'Ada',
  items: [
    { price: 12.5, quantity: 3 },
    { price: 4, quantity: 2 },
    { price: 0.5, quantity: 2 },
  ],
};

export const TOTAL: OrderTotal = { customer: 'ADA', total: 46.5 };
