// Walks over the pairs of nodes of two trees that may match, children before parents, without recursion.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel_trees.hpp"

namespace adjudge {

// What is known of pairs of nodes below the one at hand.
class NodeValues {
  public:
    // The value of a pair of children in the same group that are both paired.
    double operator()(const ChildNode& child, const PairedNode& other) const {
        return rows_[begins_[child.paired] + other.rank];
    }

  private:
    template <class Delta>
    friend class TreePairs;
    std::vector<double> rows_;         // a row for each node of the first tree whose parent is yet to come
    std::vector<std::size_t> begins_;  // where a node's row begins
};

// Delta gives the value of a pair of paired nodes, from the values of their children, and that of a pair of
// which one is counted. A worker owns one of these.
template <class Delta>
class TreePairs {
  public:
    TreePairs(Delta delta, std::int32_t groups) : delta_(std::move(delta)), slots_(groups) {}

    // The tree that others are held against until the next call.
    void hold(const KernelTree& tree) {
        for (const NodeGroup& group : held_.groups) slots_[group.group] = Slot{};
        held_ = tree;
        for (const NodeGroup& group : held_.groups)
            slots_[group.group] = {group.nodes, group.paired, group.first_member};
    }

    // The sum of the values of all pairs of nodes.
    double against(const KernelTree& tree) {
        double counted = 0;
        for (const NodeGroup& group : tree.groups) {
            const Slot& slot = slots_[group.group];
            counted += group.nodes * slot.nodes - static_cast<double>(group.paired) * slot.paired;
        }
        return counted * delta_.counted() + sum_of_pairs(tree);
    }

  private:
    struct Slot {
        double nodes = 0;
        std::int32_t paired = 0;
        std::int32_t first_member = 0;
    };

    // Rows lie on a stack: those of a node's children are on top when its turn comes, and give way to its
    // own. So there is never more in memory than siblings on one path need.
    double sum_of_pairs(const KernelTree& tree) {
        auto& rows = values_.rows_;
        auto& begins = values_.begins_;
        if (begins.size() < tree.nodes.size()) begins.resize(tree.nodes.size());
        double sum = 0;
        std::size_t top = 0;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const PairedNode& node = tree.nodes[i];
            const Slot& slot = slots_[node.group];
            const std::size_t base = node.first_paired < 0 ? top : begins[node.first_paired];
            begins[i] = base;
            if (slot.paired == 0) {
                top = base;
                continue;
            }
            const auto width = static_cast<std::size_t>(slot.paired);
            if (rows.size() < top + width) rows.resize(2 * (top + width));
            for (std::size_t m = 0; m < width; ++m) {
                const std::int32_t member = held_.members[slot.first_member + m];
                const double value = delta_(tree, node, held_, held_.nodes[member], values_);
                rows[top + m] = value;
                sum += value;
            }
            if (base != top) std::copy_n(rows.begin() + top, width, rows.begin() + base);
            top = base + width;
        }
        return sum;
    }

    Delta delta_;
    std::vector<Slot> slots_;
    KernelTree held_;
    NodeValues values_;
};

}  // namespace adjudge
