// A counter that wraps.
module counter #(parameter WIDTH = 4) (input clk, input reset, output reg [WIDTH-1:0] count);
  /* The next
     value. */
  reg [WIDTH-1:0] next;

  always @* begin
    next = count + 1;
    case (count)
      4'd9: next = 0;
      default: begin end
    endcase
  end

  always @(posedge clk) begin
    if (reset) begin
      count <= 0;
    end else begin
      count <= next;
    end
  end
endmodule
