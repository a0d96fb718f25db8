//! Flows that follow from the routes of products.

use super::Instance;
use super::products::Product;

impl Instance {
    /// The instance with products whose trips are added to the flows that it has.
    #[must_use]
    pub(crate) fn with_products(mut self, products: Vec<Product>) -> Self {
        if products.is_empty() {
            return self;
        }
        self.own_flows.clone_from(&self.flows);
        let n = self.len();
        for product in &products {
            for (from, to) in product.moves() {
                if let Some(flow) = self.flows.get_mut(from * n + to) {
                    *flow += product.trips();
                }
            }
        }
        self.door_flows.extend(products.iter().flat_map(Product::door_moves));
        self.products = products;
        self
    }

    /// Flows without the trips of products, row-major as [`Instance::flows`].
    pub(crate) fn stated_flows(&self) -> &[f64] {
        if self.products.is_empty() { &self.flows } else { &self.own_flows }
    }

    /// Products that move from one department to another one, with their trips per period.
    pub fn products_between(&self, from: usize, to: usize) -> impl Iterator<Item = (&Product, f64)> {
        self.products.iter().filter_map(move |product| {
            let moves = product.moves().filter(|&pair| pair == (from, to)).count();
            (moves > 0).then(|| (product, moves as f64 * product.trips()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trips_of_routes_are_added_to_the_flows() {
        let instance = Instance { flows: vec![0.0; 9], ..Instance::example() };
        let product = |name: &str, quantity, load, route: &[u16]| Product {
            name: name.to_owned(),
            quantity,
            load,
            route: route.to_vec(),
            ..Product::default()
        };
        let mut instance = Instance { flows: vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], ..instance };
        assert_eq!(instance.len(), 3);
        // The first goes to and fro and stays for a second step; the second is moved ten at a time.
        instance = instance
            .with_products(vec![product("P", 6.0, 1.0, &[0, 1, 1, 0, 1]), product("Q", 25.0, 10.0, &[0, 1, 2])]);
        assert_eq!(instance.flows, [0.0, 15.5, 0.0, 6.0, 0.0, 2.5, 0.0, 0.0, 0.0]);
        assert_eq!(instance.stated_flows()[1], 1.0);
        let between: Vec<(&str, f64)> =
            instance.products_between(0, 1).map(|(product, trips)| (product.name.as_str(), trips)).collect();
        assert_eq!(between, [("P", 12.0), ("Q", 2.5)]);
    }
}
